/** What the device has for 作業報告書 of a visit. The room reads the database here and nowhere else. */
import type { QueueItem, SendState } from '#schemas/change-queue.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { combineLatest, map, of, switchMap, type Observable } from 'rxjs'
import { visitKey } from '#schemas/visit-key.ts'
import { useLiveQuery } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { photosOf$ } from '#data/photos.ts'
import type { QuickReportView } from '#data/quick-report-view.ts'
import type { ShownRecord } from '#data/records-of-request.ts'
import type { SafetyRow } from '#data/safety-measures.ts'
import { useRecordsKnown } from '#data/use-records-of-request.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { useVisitsOfRequest } from '#data/use-visits.ts'
import { visitsOfKeys$, type Visit } from '#data/visits.ts'
import type { QuickReportRecord } from '#schemas/quick-report.ts'

export interface ReportFacts {
  request: RequestRecord
  report: QuickReportView | null
  /** The CRM's own names of codes lie in it. */
  record: QuickReportRecord | null
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
  const photos = usePhotosOf(shown && emergencies && ownersOf(shown, emergencies))
  if (!visit || record === undefined || !shown || !emergencies || !photos) return undefined
  return {
    request: visit.request,
    report: visit.report,
    record: record?.toMutableJSON() ?? null,
    safety: shown,
    emergencies,
    areEmergenciesRead: isRead,
    photos,
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

/** @param owners undefined until they are known */
function usePhotosOf(owners: readonly PhotoOwner[] | undefined): FactPhoto[] | undefined {
  const key = owners?.map(({ resource, recordKey }) => `${resource} ${recordKey}`).join(' ') ?? 'unknown'
  const found = useLiveQuery(`report photos ${key}`, (db) =>
    !owners || owners.length === 0
      ? of([])
      : combineLatest(
          owners.map((owner) =>
            photosOf$(db, owner.resource, owner.recordKey).pipe(
              map((all) =>
                all.map(({ photo, unsent }) => ({ photo, unsent: unsent?.state ?? null, of: owner })),
              ),
            ),
          ),
        ).pipe(map((lists) => lists.flat())),
  )
  return owners && found
}

/** The photos of all visits of a day that are on this device, by visit and in the order they were taken. */
export const useDayPhotos = (day: string): DayPhoto[] | undefined =>
  useLiveQuery(`photos of ${day}`, (db) => dayPhotos$(db, day))

function dayPhotos$(db: Database, day: string): Observable<DayPhoto[]> {
  return db.photos.find({ selector: { workingDate: day, wanted: 'kept' } }).$.pipe(
    map((docs) => [
      ...new Map(docs.map((doc) => [`${doc.resource} ${doc.recordKey}`, doc.toMutableJSON()])).values(),
    ]),
    switchMap((owners) =>
      owners.length === 0
        ? of([])
        : combineLatest([
            visitsOfKeys$(db, [...new Set(owners.map(({ requestId }) => visitKey(requestId, day)))]),
            combineLatest(owners.map(({ resource, recordKey }) => photosOf$(db, resource, recordKey))),
          ]).pipe(map(([visits, lists]) => byVisit(visits, lists.flat()))),
    ),
  )
}

const byVisit = (
  visits: readonly Visit[],
  photos: readonly { photo: PhotoRecord; unsent: QueueItem | null }[],
) =>
  photos
    .map(({ photo, unsent }) => {
      const at = visits.findIndex(({ request }) => request.id === photo.requestId)
      return { at, photo, unsent: unsent?.state ?? null, request: visits[at]?.request ?? null }
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ photo, unsent, request }) => ({ photo, unsent, request }))
