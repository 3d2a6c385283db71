/** Reads records that belong to requests: a list, or one record that a screen needs by id (RULES PL3–PL5). */
import { type } from 'arktype'
import type { WithDeleted } from 'rxdb'
import { wireId } from '#schemas/declare/wire.ts'
import { isoOf } from '#schemas/instant.ts'
import { parseRowsInSlices, type ParsedRows, readOrNull, reportProblems } from '#sync/lib/attempt.ts'
import { inSlices, type Sliced } from '#sync/lib/slices.ts'
import type { LocalRecord, PulledRow } from '#sync/merge/merge-rows.ts'
import { answerOnly, type Reading, type Work } from '#sync/pull/engine/engine.ts'
import type { PullResource, RecordList } from '#sync/resources/resource.ts'
import type { Reader } from '#sync/scheduler/api.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import { oneRow, readPages, type PagesRead } from '#sync/scheduler/read-pages.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'
import { type FetchRequest, fetchRequestName } from '#sync/storage/fetch-requests.ts'
import type { ListMarks } from './list-marks.ts'
import { localOf, mergeList, type RecordPullParts } from './local-records.ts'
import { isUnread, listTask, needsNoCall, type DueList } from './record-lists.ts'

interface ReadParts<R extends LocalRecord> {
  parts: RecordPullParts<R>
  marks: Pick<ListMarks<R>, 'get' | 'noteRead' | 'round' | 'refused'>
  /** Called when a list could not be read: another list may begin. */
  markPlanOld: () => void
}

export function listWork<R extends LocalRecord>(state: ReadParts<R>, list: DueList): Work<WithDeleted<R>> {
  const { priority, ...task } = listTask(list, needsNoCall(state.parts.resource.source, list))
  return {
    ...task,
    read: (signal) => readList(state, list, { priority, signal }),
    failed: async () => state.markPlanOld(),
  }
}

async function readList<R extends LocalRecord>(
  { parts, marks }: ReadParts<R>,
  list: DueList,
  options: ReadOptions,
): Promise<Reading<WithDeleted<R>>> {
  const { clock, name, report } = parts
  const { owner, basis, fetchRequest } = list
  const stamp = clock.stamp()
  const mark = { basis, stamp, at: isoOf(clock.now()) }
  const read = await readRows(parts, list, options)
  // Another read of the same list, for a screen, began later and has ended.
  if ((marks.get(owner)?.stamp ?? '') > stamp) return { merge: async () => ({ docs: [] }) }
  marks.round.note(list)
  const refuse = (why: string) => {
    marks.refused(owner, mark)
    report(`${name} ${owner}: ${why}`)
  }
  if (read.kind === 'refused') {
    refuse(`${read.status}`)
    return answerOnly(fetchRequest, 'failed')
  }
  const { page, isReadable, merge } = await readingOf(parts, list, read, stamp)
  if (!isReadable) refuse('none of it can be read')
  return {
    page,
    async merge(how) {
      const merged = await merge(how)
      if (!isReadable)
        return { ...merged, answer: fetchRequest && { fetchRequest, state: 'failed', total: 0 } }
      marks.noteRead(list, mark, merged.docs)
      return merged
    },
  }
}

interface Rows {
  kind: 'rows'
  rows: unknown[]
  complete: boolean
  /** Ids of rows that the CRM has and that could not be read. */
  skippedIds: string[]
}
type RowsRead = Rows | { kind: 'refused'; status: number }

async function readRows<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  list: RecordList,
  options: ReadOptions,
): Promise<RowsRead> {
  const { api, gate, loginUserId, report, resource } = parts
  const { source } = resource
  const all: Rows = { kind: 'rows', rows: [], complete: true, skippedIds: [] }
  if (source.kind === 'named') {
    // Records that the request names, and those that were sent and not read back yet.
    const unread = (await localOf(parts, list.owner)).filter(isUnread)
    const ids = new Set([...source.ids(list), ...unread.map(({ serverId = '' }) => serverId)])
    const reads = [...ids].map(async (id) => {
      const read = await readOne(parts, source.path, id, options)
      if (read.kind === 'rows') all.rows.push(...read.rows)
      else all.skippedIds.push(id)
    })
    await Promise.all(reads)
    return all
  }
  const reader: Reader = { read: (path, query) => api.read(path, query, options) }
  for (const { path, query, paging } of source.calls(list, loginUserId)) {
    const pages = await readPages(reader, path, query, paging)
    const read = interpreted(gate, pages, source.isEmptyAt404 === true)
    if (read.kind === 'refused') return read
    // The answer is not a list, so no record counts as missing.
    if (read.nonListStatus !== undefined) return { kind: 'refused', status: read.nonListStatus }
    all.rows.push(...read.rows)
    all.complete &&= read.complete
    if (read.endless) report(`${path}: pages without an end`)
  }
  return all
}

/** Reads one record by id. The result has no row if the CRM does not have the record. */
const readOne = async (
  { api, gate, loginUserId }: Pick<RecordPullParts<LocalRecord>, 'api' | 'gate' | 'loginUserId'>,
  path: string,
  id: string,
  options: ReadOptions,
) =>
  interpreted(
    gate,
    oneRow(await api.read(`${path}/${encodeURIComponent(id)}`, { loginUserId }, options)),
    true,
  )

/**
 * Interprets the result of a read.
 * @param isEmptyIfMissing true if a 404 means that no record exists (for a list, only if the contract says so)
 * @throws PullAgain if the CRM could not be read
 */
function interpreted(
  gate: PullGate,
  read: PagesRead,
  isEmptyIfMissing: boolean,
): Extract<PagesRead, { kind: 'rows' }> | { kind: 'refused'; status: number } {
  if (read.kind === 'rows') {
    gate.succeeded()
    return read
  }
  const { kind, status } = readable(gate, read.outcome)
  if (kind === 'missing' && isEmptyIfMissing) return { kind: 'rows', rows: [], complete: true }
  return { kind: 'refused', status }
}

const rowId = type({ id: wireId })

/** Parses the rows of a list. Each row is also converted once, so that an exception skips only this row. */
export const parseListInSlices = <R extends LocalRecord>(
  resource: PullResource<R>,
  raws: readonly unknown[],
  list: RecordList,
): Sliced<ParsedRows<PulledRow<R>>> =>
  parseRowsInSlices(
    raws,
    (raw) => {
      const row = resource.row(raw, list)
      if (!(row instanceof type.errors)) row.record(undefined, '')
      return row
    },
    (raw) => {
      const row = rowId(raw)
      return row instanceof type.errors ? row : row.id
    },
  )

/** Parses the rows of a read, and returns how they are merged. `isReadable` is false if no row could be parsed. */
async function readingOf<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  list: RecordList,
  read: Rows,
  stamp: string,
): Promise<Reading<WithDeleted<R>> & { isReadable: boolean }> {
  const { resource, report, name } = parts
  const { source } = resource
  const { rows, skipped, unreadable, problems } = await inSlices(parseListInSlices(resource, read.rows, list))
  reportProblems(report, `${name} ${list.owner}`, problems)
  const skippedIds = [...skipped, ...read.skippedIds]
  // If the CRM has rows but none can be parsed, no screen may say that there are no records (PL2, PL4).
  const isReadable = rows.length > 0 || (!unreadable && skippedIds.length === 0)
  // Records that are read one by one are complete even if one of them cannot be parsed.
  const isKnown = source.kind === 'named' || isReadable
  return {
    isReadable,
    page: { kind: 'whole', isComplete: read.complete && !unreadable && isKnown },
    async merge({ removes }) {
      const asOf = source.kind === 'named' ? source.asOf(list) : stamp
      const completeAsOf = removes ? asOf : null
      return { docs: await mergeList(parts, list, { rows, stamp, completeAsOf, skippedIds }) }
    },
  }
}

/** The read of a record that a screen needs by id. The record's owner is known only from the response. */
export const oneWork = <R extends LocalRecord>(
  parts: RecordPullParts<R>,
  fetchRequest: FetchRequest,
): Work<WithDeleted<R>> => ({
  name: fetchRequestName(fetchRequest),
  lane: 'one',
  isForScreen: true,
  fetchRequest,
  async read(signal) {
    const { path, ownerIn } = parts.resource.one ?? { path: '', ownerIn: () => null }
    const stamp = parts.clock.stamp()
    const read = await readOne(parts, path, fetchRequest.recordKey ?? '', { priority: 'screen', signal })
    const [row] = read.kind === 'rows' ? read.rows : []
    if (read.kind === 'rows' && row === undefined) return answerOnly(fetchRequest, 'missing')
    const owner = row === undefined ? null : readOrNull(() => ownerIn(row))
    if (owner === null) return answerOnly(fetchRequest, 'failed')
    const rows: Rows = { kind: 'rows', rows: [row], complete: false, skippedIds: [] }
    const { isReadable, merge } = await readingOf(parts, { owner, requests: [] }, rows, stamp)
    return {
      async merge(how) {
        const { docs } = await merge(how)
        return {
          docs,
          answer: { fetchRequest, state: isReadable ? 'answered' : 'failed', total: docs.length },
        }
      },
    }
  },
})
