/**
 * Safety measures as screens see them: what the CRM confirmed, what was saved here and still travels, and what the
 * request's row says. One for each working day and type.
 */
import { combineLatest, map, type Observable } from 'rxjs'
import { effectiveChanges, SEND_STATE, type SendState } from '#schemas/changes/change-queue.ts'
import type { Code } from '#schemas/code-table.ts'
import { SafetyNeedFlag, SafetyStatus, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector, isOfIdOrKey } from '#data/database/find-by-id.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { views$ } from '#data/changes/record-views.ts'
import { safetyNames } from '#data/visits/request-facts.ts'
import { pressing } from '#data/outbox/unsent.ts'

const RESOURCE = 'safetyMeasures'

export type SafetyTypeCode = Code<typeof SafetyType>

export interface SafetyMeasureView {
  /** For links: the CRM's id, else the local key; both are found. */
  id: string
  key: string
  requestId: string
  workingDate: string
  safetyType: string
  /** As the CRM calls the type, else as our table does. */
  typeName: string
  /** Need flag: 1 必要, 2 不要. */
  need: string | null
  /** When it was made, and by whom where the CRM says so. */
  createdAt: string | null
  createdBy: string | null
  /** Where the save stands that makes it; null when the CRM has it. */
  state: SendState | null
  /** Where it and its photos stand; null when all is sent. */
  unsent: SendState | null
}

/** @returns null where nothing is left of it (破棄) */
export function safetyMeasureView(
  record: SafetyMeasureRecord,
  { ledger, photos }: Pick<Outbox, 'ledger' | 'photos'>,
): SafetyMeasureView | null {
  const { key, requestId, workingDate, safetyType, serverId, server } = record
  const typeName = server?.typeName || SafetyType.label(safetyType)
  const whose = { id: serverId || key, key, requestId, workingDate, safetyType, typeName }
  const ownPhotos = photos.filter(({ resource, recordKey }) => resource === RESOURCE && recordKey === key)
  const unsentWith = (items: readonly { state: SendState }[]) =>
    pressing([...items, ...ownPhotos.flatMap(({ items: each }) => each)])?.state ?? null
  if (server) {
    const { needFlag, createdAt, createdDisplayName } = server
    return {
      ...whose,
      need: needFlag,
      createdAt,
      createdBy: createdDisplayName,
      state: null,
      unsent: unsentWith([]),
    }
  }
  const change = effectiveChanges(record.changes).at(-1)
  const entry = change && ledger.get(change.id)
  if (!change || entry?.state === 'discarded') return null
  const state = entry ? SEND_STATE[entry.state] : 'waiting'
  return {
    ...whose,
    need: change.fields.needFlag,
    createdAt: change.savedAt,
    createdBy: null,
    state,
    unsent: unsentWith([{ state }]),
  }
}

/** The measures of a visit that the device has as records. */
export function safetyMeasuresOf$(
  db: Database,
  requestId: string,
  workingDate: string,
): Observable<SafetyMeasureView[]> {
  const isOf = (record: SafetyMeasureRecord) =>
    record.requestId === requestId && record.workingDate === workingDate
  return combineLatest([views$(db, RESOURCE, { requestId, workingDate }, isOf), outbox$(db)]).pipe(
    map(([records, outbox]) =>
      records.map((record) => safetyMeasureView(record, outbox)).filter((measure) => measure !== null),
    ),
  )
}

/**
 * One measure; null where the device has none.
 * @param id the CRM's id, or the local key
 */
export function safetyMeasure$(db: Database, id: string): Observable<SafetyMeasureView | null> {
  return combineLatest([views$(db, RESOURCE, idOrKeySelector(id), isOfIdOrKey(id)), outbox$(db)]).pipe(
    map(([records, outbox]) => {
      const record = findByIdOrKey(records, id)
      return record ? safetyMeasureView(record, outbox) : null
    }),
  )
}

export interface SafetyRow {
  type: SafetyTypeCode
  /** The request itself names it (安全対策). */
  named: boolean
  /** What there is of it for this working day; null where there is nothing. */
  measure: SafetyMeasureView | null
  /** Nothing is known of it here: neither the details nor the row says whether it is registered. */
  isUnknown: boolean
}

const { underPit, oxygen, height, standingParking, entanglement } = SafetyType.code
/** The order in which safety types appear (spec 4). */
const ORDER = [underPit, oxygen, height, standingParking, entanglement]

/** All safety types in their order, each with what there is for the request's day. */
export function safetyRows(request: RequestRecord, measures: readonly SafetyMeasureView[]): SafetyRow[] {
  const names = safetyNames(request)
  // the row alone says it where it says that none is
  const isKnown = request.detail !== null || request.safetyStatus === SafetyStatus.code.unregistered
  return ORDER.map((type) => {
    const measure = measureOf(request, type, measures)
    const named = names.includes(SafetyType.label(type))
    return { type, named, measure, isUnknown: !isKnown && measure === null }
  })
}

/** The record, or where it is not read yet what the request's row says of it. */
function measureOf(
  { id: requestId, workingDate, detail }: RequestRecord,
  type: string,
  measures: readonly SafetyMeasureView[],
): SafetyMeasureView | null {
  const here = measures.find(({ safetyType }) => safetyType === type) ?? null
  const there = detail?.safety.find(
    (each) => each.safetyType === type && (each.workingDate === null || each.workingDate === workingDate),
  )
  if (!there || (here && isRegistered(here))) return here
  const { id, needFlag: need } = there
  return {
    id,
    key: id,
    requestId,
    workingDate,
    safetyType: type,
    typeName: SafetyType.label(type),
    need,
    createdAt: null,
    createdBy: null,
    state: null,
    unsent: null,
  }
}

/** Refused and expired ones do not count: nothing shows more than the CRM answered (sync RULES ST1). */
export const isRegistered = ({ state }: SafetyMeasureView) => state !== 'failed' && state !== 'expired'

export const isUnnecessary = ({ need }: Pick<SafetyMeasureView, 'need'>) =>
  need === SafetyNeedFlag.code.unnecessary

/**
 * 未登録, 一部登録, 登録済: as the CRM says, or more where more was registered here since. Where the CRM asks for none, one
 * that was registered all the same is not called 不要.
 */
export function safetyStatus({ safetyStatus: said }: RequestRecord, rows: readonly SafetyRow[]) {
  const { unnecessary, unregistered, partly, registered } = SafetyStatus.code
  const isThere = ({ measure }: SafetyRow) => measure && isRegistered(measure) && !isUnnecessary(measure)
  if (said === unnecessary && rows.some(isThere)) return registered
  if (said !== unregistered && said !== partly) return said
  const named = rows.filter((row) => row.named)
  const done = named.filter(({ measure }) => measure && isRegistered(measure)).length
  if (done === 0) return said
  return done === named.length ? registered : partly
}
