import { shownLanguage } from '#lib/language.ts'
import { useState } from 'react'
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { NoteType } from '#schemas/codes.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { fieldText } from '#data/resources/field-text.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { pastReportsOf } from '#schemas/resources/visit-key.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import type { PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import { goesWith, quickReport, type QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestDetail, RequestRecord } from '#schemas/resources/request.ts'
import { useNamedQuery } from '#data/context/app-context.tsx'
import { shownChanges } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { isListRead$, type Absence } from '#data/fetch-requests/interests.ts'
import { viewsWithOutbox$, type Outbox, unsentOf } from '#data/outbox/outbox.ts'
import { views$ } from '#data/changes/record-views.ts'
import { recordsOf$, type ShownRecord } from '#data/resources/records-of-request.ts'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { visitsOfKeys$, type Visit } from '#data/visits/visits.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { tokyoDay } from '#lib/time/tokyo-time.ts'
import {
  handoverLines,
  type EmergencyFact,
  type ExitFact,
  type HandoverLine,
  type NoteFact,
} from './handover.ts'

/** A machine (機器) at the place of a request. The CRM calls machines devices. */
type Machine = RequestDetail['devices'][number]

export interface MachineHandover {
  /** Null if the request names no machine or its details are not on the device. */
  machine: Machine | null
  lines: readonly HandoverLine[]
  /** True if all lists of records were read from the CRM. If false, records may be missing from `lines`. */
  isRead: boolean
}
export type Handover = readonly MachineHandover[]

/** Returns one item for each machine; undefined until they are read. The previous items stay until newer ones are read. */
export function useHandover(request: RequestRecord | null): Handover | undefined {
  const key = request?.key
  const machineIds = request?.detail?.devices.map(({ deviceId }) => deviceId).join(' ') ?? 'unknown'
  const handover = useNamedQuery(
    request && {
      // The key includes the language, because the result contains translated labels.
      key: `handover ${shownLanguage()} ${key} ${request.locationAreaId} ${machineIds}`,
      query: (db: Database) => handover$(db, request),
    },
  )
  const [last, setLast] = useState<{ key: string; handover: Handover }>()
  if (key !== undefined && handover && handover !== last?.handover) setLast({ key, handover })
  return handover ?? (last?.key === key ? last?.handover : undefined)
}

/** Requests the lists of records that the CRM has not delivered yet, and returns why they are not on the device. */
export function useUnreadLists(request: RequestRecord, machine: Machine | null): Absence {
  const { id: requestId, locationAreaId } = request
  const reports = useFetchedList(
    { collection: 'pastReports', owner: machine?.deviceId ?? '' },
    { ask: machine !== null },
  )
  const emergencies = useFetchedList(
    { collection: 'emergencyReports', owner: requestId, requestId },
    { ask: true },
  )
  const notes = useFetchedList(
    { collection: 'noteLocationAreas', owner: locationAreaId ?? '', requestId },
    { ask: locationAreaId !== null },
  )
  const detail = useDetailAbsence(request)
  const lists = [machine && reports, emergencies, locationAreaId && notes]
  const states = [detail, ...lists.map((list) => list && list.loadState(0).state)]
  // A failed read is the most important reason.
  return (['failed', 'absent'] as const).find((absence) => states.includes(absence)) ?? 'reading'
}

function handover$(db: Database, request: RequestRecord): Observable<Handover> {
  const { id, workingDate: day, locationAreaId, detail } = request
  const machines: (Machine | null)[] = detail && detail.devices.length > 0 ? detail.devices : [null]
  const isRead$ = (collection: PrefetchedCollection, owner: string | null) =>
    owner ? isListRead$(db, { collection, owner }) : of(true)
  // The past reports of each machine. All other records belong to the request or its place.
  const reported$ = machines.map((machine) =>
    combineLatest([
      machine ? reports$(db, machine.deviceId) : of([]),
      isRead$('pastReports', machine?.deviceId ?? null),
    ]).pipe(map(([reports, isRead]) => ({ machine, reports, isRead }))),
  )
  return combineLatest({
    reported: combineLatest(reported$),
    emergencies: recordsOf$(db, 'emergencyReports', id),
    exits: exits$(db, request),
    notes: notes$(db, request),
    areEmergenciesRead: isRead$('emergencyReports', id),
    areNotesRead: isRead$('noteLocationAreas', locationAreaId),
  }).pipe(
    map(({ reported, emergencies, exits, notes, areEmergenciesRead, areNotesRead }) =>
      reported.map(({ machine, reports, isRead }) => ({
        machine,
        lines: handoverLines({
          day,
          reports,
          emergencies: emergencies.flatMap(emergencyFact),
          exits: exits.filter(({ visit }) => isAt(visit, id, machine)).map(({ fact }) => fact),
          notes,
        }),
        isRead: detail !== null && isRead && areEmergenciesRead && areNotesRead,
      })),
    ),
    distinctUntilChanged<MachineHandover[]>(isSameJson),
  )
}

const reports$ = (db: Database, deviceId: string): Observable<PastReportRecord[]> =>
  db.pastReports
    .find({ selector: pastReportsOf(deviceId) })
    .$.pipe(map((docs) => docs.map((doc) => doc.toMutableJSON())))

const isAt = ({ request }: Visit, requestId: string, machine: Machine | null) =>
  request.id === requestId ||
  (request.detail?.devices.some(({ deviceId }) => deviceId === machine?.deviceId) ?? false)

function emergencyFact(report: ShownRecord<'emergencyReports'>): EmergencyFact[] {
  const { record, content, lockedByCrm, registered } = report
  const contents = fieldText(emergencyReport, 'emergencyContents', content.emergencyContents, record.server)
  const details = content.emergencyContentsDetails ?? ''
  const day = record.workingDate || tokyoDay(record.server?.createdAt ?? null)
  return registered && day !== '' ? [{ day, contents, details, isOpen: !lockedByCrm }] : []
}

/** Emits the exits of the user's other visits up to the request's day. A device has only 退館報告 of its own user. */
function exits$(db: Database, { key, workingDate }: RequestRecord) {
  return views$(db, 'quickReports', { workingDate: { $gte: '', $lte: workingDate } }).pipe(
    switchMap((records) => {
      const left = records.filter((record) => record.key !== key && hasExit(record))
      const visits$ = visitsOfKeys$(
        db,
        left.map((record) => record.key),
      )
      const recordOf = (visit: Visit) => left.find((record) => record.key === visit.request.key)
      return visits$.pipe(
        map((visits) =>
          visits.flatMap((visit) => {
            const fact = exitFact(visit, recordOf(visit))
            return fact ? [{ visit, fact }] : []
          }),
        ),
      )
    }),
  )
}

const hasExit = ({ server, changes }: QuickReportRecord) =>
  Boolean(server?.outTime) || changes.some(({ fields }) => fields.outTime)

function exitFact({ report }: Visit, record: QuickReportRecord | undefined): ExitFact | null {
  if (!report?.outTime || !record) return null
  const textOf = (name: 'type' | 'reason1' | 'reason2') =>
    fieldText(quickReport, name, report[name], record.server)
  const reasons = (['reason1', 'reason2'] as const).filter((name) => goesWith(name, report.type))
  const reason = reasons.map(textOf).filter(Boolean).join('、')
  return {
    id: report.id,
    day: report.workingDate,
    at: Date.parse(report.outTime),
    category: textOf('type'),
    reason: reason === '' && reasons.length > 0 && !report.detailed ? null : reason,
    unsent: report.unsent?.state ?? null,
  }
}

/** Emits the notes of the request's place; only the request's own notes if the place is unknown. */
function notes$(db: Database, { id, locationAreaId }: RequestRecord): Observable<NoteFact[]> {
  const selector = { locationAreaId: locationAreaId ?? '', ...(!locationAreaId && { requestId: id }) }
  return viewsWithOutbox$(db, 'noteLocationAreas', selector).pipe(
    map(([notes, outbox]) => notes.flatMap((note) => noteFact(note, outbox))),
  )
}

function noteFact(record: NoteRecord, outbox: Outbox): NoteFact[] {
  const { key, server, serverId, changes, noteType } = record
  const saved = shownChanges(effectiveChanges(changes), outbox.progress).at(-1)
  const createdAt = server?.createdAt ?? changes[0]?.savedAt ?? null
  const note = saved?.fields.note ?? server?.note ?? ''
  // A note whose creation the user discarded has neither a state from the CRM nor changes.
  if ((!server && !saved) || note === '') return []
  return [
    {
      id: serverId || key,
      day: tokyoDay(createdAt),
      at: Date.parse(createdAt ?? '') || 0,
      type: noteType || NoteType.code.request,
      note,
      unsent: unsentOf(outbox, 'noteLocationAreas', key)?.state ?? null,
    },
  ]
}
