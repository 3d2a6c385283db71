/** What the device has for 作業報告書 of a visit. The room reads the database here and nowhere else. */
import type { SendState } from '#schemas/changes/change-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { photosWhere$ } from '#data/photos/photos.ts'
import type { QuickReportView } from '#data/resources/quick-report-view.ts'
import type { ShownRecord } from '#data/resources/records-of-request.ts'
import type { SafetyRow } from '#data/resources/safety-measures.ts'
import { useRecordsKnown } from '#data/resources/use-records-of-request.ts'
import { useSafetyRows } from '#data/resources/use-safety-measures.ts'
import { useVisitsOfRequest } from '#data/visits/use-visits.ts'
import { visitsOfKeys$ } from '#data/visits/visits.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'

export interface ReportFacts {
  request: RequestRecord
  report: QuickReportView | null
  /** The CRM's own names of codes lie in it. */
  record: Pick<QuickReportRecord, 'server'> | null
  safety: readonly SafetyRow[]
  emergencies: readonly ShownRecord<'emergencyReports'>[]
  /** Whether these are all. */
  areEmergenciesRead: boolean
  /** Of its safety measures and emergencies, each in the order they were taken. */
  photos: readonly FactPhoto[]
}

export interface FactPhoto {
  photo: PhotoRecord
  unsent: SendState | null
  /** Which record has it. */
  of: PhotoOwner
}

/** A photo of a day, with its request where the device has it. */
export type DayPhoto = Omit<FactPhoto, 'of'> & { request: RequestRecord | null }

interface PhotoOwner {
  resource: 'safetyMeasures' | 'emergencyReports'
  recordKey: string
  /** Of a safety measure. */
  safetyType: string | null
}

/** Of the visit of a day; undefined until the device was read, or where it has no such visit. */
export function useReportFacts(request: RequestRecord): ReportFacts | undefined {
  const { id, key, workingDate } = request
  const visit = useVisitsOfRequest(id)?.find((each) => each.request.key === key)
  const record = useLiveQuery(`report record ${key}`, (db) => db.quickReports.findOne(key).$)
  const safety = useSafetyRows(request)
  const { records, isRead } = useRecordsKnown('emergencyReports', id)
  const shown = safety?.filter(({ named, measure }) => named || measure !== null)
  const emergencies = records?.filter(({ record: each }) => ['', workingDate].includes(each.workingDate))
  const photos = useLiveQuery(`report photos ${id}`, (db) => photosWhere$(db, { requestId: id }))
  if (!visit || record === undefined || !shown || !emergencies || !photos) return undefined
  return {
    request: visit.request,
    report: visit.report,
    record: record?.toMutableJSON() ?? null,
    safety: shown,
    emergencies,
    areEmergenciesRead: isRead,
    photos: ownersOf(shown, emergencies).flatMap((of) =>
      photos
        .filter(({ photo }) => photo.resource === of.resource && photo.recordKey === of.recordKey)
        .map(({ photo, unsent }) => ({ photo, unsent: unsent?.state ?? null, of })),
    ),
  }
}

const ownersOf = (
  safety: readonly SafetyRow[],
  emergencies: readonly ShownRecord<'emergencyReports'>[],
): PhotoOwner[] => [
  ...safety.flatMap(({ type, measure }) =>
    measure ? [{ resource: 'safetyMeasures' as const, recordKey: measure.key, safetyType: type }] : [],
  ),
  ...emergencies.map(({ record }) => ({
    resource: 'emergencyReports' as const,
    recordKey: record.key,
    safetyType: null,
  })),
]

/** The photos of all visits of a day that are on this device, by visit and in the order they were taken. */
export function useDayPhotos(day: string): DayPhoto[] {
  const photos = useLiveQuery(`photos of ${day}`, (db) => photosWhere$(db, { workingDate: day })) ?? []
  const keys = [...new Set(photos.map(({ photo }) => visitKey(photo.requestId, day)))]
  const visits = useLiveQuery(`visits with photos ${keys.join(' ')}`, (db) => visitsOfKeys$(db, keys)) ?? []
  return photos
    .map(({ photo, unsent }) => {
      const at = visits.findIndex(({ request }) => request.id === photo.requestId)
      return { at, photo, unsent: unsent?.state ?? null, request: visits[at]?.request ?? null }
    })
    .toSorted((a, b) => a.at - b.at)
}
