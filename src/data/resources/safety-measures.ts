/** Safety measures for screens, by day and type: from records of the CRM, local changes, and the request's row. */
import { map, type Observable } from 'rxjs'
import { effectiveChanges, SEND_STATE, type SendState } from '#schemas/changes/change-queue.ts'
import type { Code } from '#schemas/code-table.ts'
import { SafetyNeedFlag, SafetyStatus, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector } from '#data/database/find-by-id.ts'
import { viewsWithOutbox$, type Outbox, mostUrgent } from '#data/outbox/outbox.ts'
import { safetyNames } from '#data/visits/request-facts.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'

const RESOURCE = 'safetyMeasures'
export type SafetyTypeCode = Code<typeof SafetyType>

export type SafetyMeasureView = NonNullable<ReturnType<typeof safetyMeasureView>>

/**
 * `id` is for links: the CRM id, or the local key. `state`: send state of the creation; null if the CRM has the measure.
 * `unsent`: most urgent send state of the measure and its photos; null if all are sent.
 */
export function safetyMeasureView(
  record: SafetyMeasureRecord,
  { progress, photos }: Pick<Outbox, 'progress' | 'photos'>,
) {
  const { key, requestId, workingDate, safetyType, serverId, server } = record
  const typeName = server?.typeName || SafetyType.label(safetyType)
  const identity = { id: serverId || key, key, requestId, workingDate, safetyType, typeName }
  const ownPhotos = photos.filter(({ resource, recordKey }) => resource === RESOURCE && recordKey === key)
  const unsentWith = (items: readonly { state: SendState }[]) =>
    mostUrgent([...items, ...ownPhotos.flatMap(({ items: each }) => each)])?.state ?? null
  if (server) {
    const { needFlag: need, createdAt, createdDisplayName: createdBy } = server
    return { ...identity, need, createdAt, createdBy, state: null, unsent: unsentWith([]) }
  }
  const change = effectiveChanges(record.changes).at(-1)
  const entry = change && progress.get(change.id)
  if (!change || entry?.state === 'discarded') return null
  const state = entry ? SEND_STATE[entry.state] : 'waiting'
  return {
    ...identity,
    need: change.fields.needFlag,
    createdAt: change.savedAt,
    createdBy: null,
    state,
    unsent: unsentWith([{ state }]),
  }
}

const safetyMeasuresOf$ = (db: Database, requestId: string, workingDate: string) =>
  viewsWithOutbox$(db, RESOURCE, { requestId, workingDate }).pipe(
    map(([records, outbox]) =>
      records.map((record) => safetyMeasureView(record, outbox)).filter((measure) => measure !== null),
    ),
  )

/** Emits the measure with this CRM id or local key; null if the device has none. */
export const safetyMeasure$ = (db: Database, id: string): Observable<SafetyMeasureView | null> =>
  viewsWithOutbox$(db, RESOURCE, idOrKeySelector(id)).pipe(
    map(([records, outbox]) => {
      const record = findByIdOrKey(records, id)
      return record ? safetyMeasureView(record, outbox) : null
    }),
  )

export type SafetyRow = ReturnType<typeof safetyRows>[number]

const { underPit, oxygen, height, standingParking, entanglement } = SafetyType.code
const ORDER = [underPit, oxygen, height, standingParking, entanglement]

/** Returns the safety types in the order of screens, with the measures of the request's day; null for none. */
export function safetyRows(request: RequestRecord, measures: readonly SafetyMeasureView[]) {
  const names = safetyNames(request)
  const isKnown = request.detail !== null || request.safetyStatus === SafetyStatus.code.unregistered
  return ORDER.map((type) => {
    const measure = measureOf(request, type, measures)
    // True if the request requires this type (安全対策).
    const named = names.includes(SafetyType.label(type))
    // `isUnknown`: it is unknown whether a measure of this type is registered.
    return { type, named, measure, isUnknown: !isKnown && measure === null }
  })
}

/** Returns the measure of a type: a registered record, otherwise the request's details, otherwise a failed record. */
function measureOf(
  { id: requestId, workingDate, detail }: RequestRecord,
  type: string,
  measures: readonly SafetyMeasureView[],
): SafetyMeasureView | null {
  const local = measures.find(({ safetyType }) => safetyType === type) ?? null
  const inDetails = detail?.safety.find(
    (each) => each.safetyType === type && (each.workingDate === null || each.workingDate === workingDate),
  )
  if (!inDetails || (local && isRegistered(local))) return local
  const { id, needFlag: need } = inDetails
  const identity = { id, key: id, requestId, workingDate, safetyType: type, typeName: SafetyType.label(type) }
  return { ...identity, need, createdAt: null, createdBy: null, state: null, unsent: null }
}

/** True if the measure is registered or still to be sent. Refused and expired ones do not count (sync RULES ST1). */
export const isRegistered = ({ state }: SafetyMeasureView) => state !== 'failed' && state !== 'expired'

export const isUnnecessary = ({ need }: Pick<SafetyMeasureView, 'need'>) =>
  need === SafetyNeedFlag.code.unnecessary

/**
 * Returns 未登録, 一部登録 or 登録済: the CRM's status, or a higher one if this device has registered more measures. 登録済
 * replaces 不要 if a measure is registered although none is required.
 */
export function safetyStatus({ safetyStatus: crmStatus }: RequestRecord, rows: readonly SafetyRow[]) {
  const { unnecessary, unregistered, partly, registered } = SafetyStatus.code
  const isNeededAndRegistered = ({ measure }: SafetyRow) =>
    measure && isRegistered(measure) && !isUnnecessary(measure)
  if (crmStatus === unnecessary && rows.some(isNeededAndRegistered)) return registered
  if (crmStatus !== unregistered && crmStatus !== partly) return crmStatus
  const named = rows.filter((row) => row.named)
  const done = named.filter(({ measure }) => measure && isRegistered(measure)).length
  if (done === 0) return crmStatus
  return done === named.length ? registered : partly
}

/** Returns the rows of `safetyRows`; undefined until they are read. */
export function useSafetyRows(request: RequestRecord): SafetyRow[] | undefined {
  const { key, id, workingDate } = request
  const measures = useLiveQuery(`safety of ${key}`, (db) => safetyMeasuresOf$(db, id, workingDate))
  return measures && safetyRows(request, measures)
}

/** Returns the measure with this CRM id or local key, and requests it if it is not on the device. */
export function useSafetyMeasure(id: string) {
  const found = useLiveQuery(`safety measure ${id}`, (db) => safetyMeasure$(db, id))
  return useFetchedRecord('safetyMeasures', id, found)
}
