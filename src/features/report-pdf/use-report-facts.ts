import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { photosWhere$, type PhotoView } from '#data/photos/photos.ts'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import { type ShownRecord, useRecordsKnown } from '#data/resources/records-of-request.ts'
import { type SafetyRow, useSafetyRows } from '#data/resources/safety-measures.ts'
import { useVisitsOfRequest } from '#data/visits/use-visits.ts'
import { labelsOf$, type Label } from './labels.ts'
import { visitsOfKeys$ } from '#data/visits/visits.ts'

export interface ReportFacts {
  request: RequestRecord
  report: QuickReportView | null
  /** The stored 退館報告 as received from the CRM, which includes the names of its codes. */
  record: Pick<QuickReportRecord, 'server'> | null
  safety: readonly SafetyRow[]
  emergencies: readonly ShownRecord<'emergencyReports'>[]
  /** True if the device has the complete list of 緊急報告. */
  areEmergenciesRead: boolean
  /** The photos of `safety` and `emergencies`, ordered by record, then by the time they were taken. */
  photos: readonly PhotoView[]
}

/** A photo, with its request if the request is on the device. */
export type DayPhoto = PhotoView & { request: RequestRecord | null }

/** Returns the facts of a visit; undefined until they are read, or if the device does not have the visit. */
export function useReportFacts(request: RequestRecord): ReportFacts | undefined {
  const { id, key, workingDate } = request
  const visit = useVisitsOfRequest(id)?.find((each) => each.request.key === key)
  const record = useLiveQuery(`report record ${key}`, (db) => db.quickReports.findOne(key).$)
  const safety = useSafetyRows(request)
  const { records, isRead } = useRecordsKnown('emergencyReports', id)
  const photos = useLiveQuery(`report photos ${id}`, (db) => photosWhere$(db, { requestId: id }))
  if (!visit || record === undefined || !safety || !records || !photos) return undefined
  const shown = safety.filter(({ named, measure }) => named || measure !== null)
  // A report without a working day may be of this visit.
  const emergencies = records.filter(({ record: each }) => ['', workingDate].includes(each.workingDate))
  const owners = [
    ...shown.flatMap(({ measure }) => measure?.key ?? []),
    ...emergencies.map(({ record: { key: owner } }) => owner),
  ]
  return {
    request: visit.request,
    report: visit.report,
    record: record?.toMutableJSON() ?? null,
    safety: shown,
    emergencies,
    areEmergenciesRead: isRead,
    photos: owners.flatMap((owner) => photos.filter(({ photo }) => photo.recordKey === owner)),
  }
}

/** Returns a day's photos on this device, ordered by visit, then by the time they were taken. */
export function useDayPhotos(day: string): DayPhoto[] {
  const photos = useLiveQuery(`photos of ${day}`, (db) => photosWhere$(db, { workingDate: day })) ?? []
  const keys = [...new Set(photos.map(({ photo }) => visitKey(photo.requestId, day)))]
  const visits = useLiveQuery(`visits with photos ${keys.join(' ')}`, (db) => visitsOfKeys$(db, keys)) ?? []
  const at = (requestId: string) => visits.findIndex(({ request }) => request.id === requestId)
  return photos
    .map((each) => ({ ...each, request: visits[at(each.photo.requestId)]?.request ?? null }))
    .toSorted((a, b) => at(a.photo.requestId) - at(b.photo.requestId))
}

export const useDeviceLabels = (request: RequestRecord): readonly Label[] =>
  useLiveQuery(`labels of ${request.key}`, (db) => labelsOf$(db, request, location.origin)) ?? []
