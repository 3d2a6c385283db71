/** Reads records that belong to requests: a list, or one record that a screen needs by id (RULES PL3–PL5). */
import { type } from 'arktype'
import type { WithDeleted } from 'rxdb'
import { wireId } from '#schemas/declare/wire.ts'
import { isoOf } from '#schemas/instant.ts'
import { parseRowsInSlices, readOrNull, reportProblems, type ParsedRows } from '#sync/wire/declared.ts'
import { inSlices, type Sliced } from '#sync/lib/slices.ts'
import type { LocalRecord, PulledRow } from '#sync/merge/merge-rows.ts'
import { answerOnly, type Merge, type Work } from '#sync/pull/engine/work.ts'
import type { PullResource, RecordList } from '#sync/resources/resource.ts'
import type { Reader } from '#sync/scheduler/api.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import { readPages } from '#sync/scheduler/read-pages.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'
import { fetchRequestName, type FetchRequest } from '#sync/storage/database.ts'
import { localOf, mergeList, type ListMarks, type RecordPullParts } from './local-records.ts'
import { isUnread, type DueList } from './record-lists.ts'

export async function readList<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  marks: Pick<ListMarks<R>, 'get' | 'set' | 'noteRead'>,
  list: DueList,
  options: ReadOptions,
): Promise<Merge<WithDeleted<R>>> {
  const { clock, name, report } = parts
  const { owner, basis } = list
  const stamp = clock.stamp()
  const mark = { basis, stamp, at: isoOf(clock.now()) }
  const read = await readRows(parts, list, options)
  // Another read of the same list, for a screen, began later and has ended.
  if ((marks.get(owner)?.stamp ?? '') > stamp) return async () => ({ docs: [] })
  const refuse = (why: string) => {
    marks.set(list, { ...mark, at: '' })
    report(`${name} ${owner}: ${why}`)
  }
  if ('status' in read) {
    refuse(`${read.status}`)
    return answerOnly('failed')
  }
  const { isReadable, merge } = await parsedList(parts, list, read, stamp)
  if (!isReadable) refuse('none of it can be read')
  return async () => {
    const docs = await merge()
    if (!isReadable) return { docs, state: 'failed' }
    // The fetch request is answered once the documents are on the device.
    marks.noteRead(list, mark, docs)
    return { docs }
  }
}

/** `skippedIds`: ids of rows that the CRM has and that could not be read. */
type Rows = { rows: unknown[]; complete: boolean; skippedIds: string[] }

async function readRows<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  list: RecordList,
  options: ReadOptions,
): Promise<Rows | { status: number }> {
  const { api, gate, loginUserId, report, resource } = parts
  const { source } = resource
  const all: Rows = { rows: [], complete: true, skippedIds: [] }
  if (source.kind === 'named') {
    // The request's row on the device may lack the ids of records that were just sent.
    const unread = (await localOf(parts, list.owner)).filter(isUnread)
    const ids = new Set([...source.ids(list), ...unread.map(({ serverId = '' }) => serverId)])
    const reads = [...ids].map(async (id) => {
      const found = await readOne(parts, source.path, id, options)
      if (found) all.rows.push(...found)
      else all.skippedIds.push(id)
    })
    await Promise.all(reads)
    return all
  }
  const reader: Reader = { read: (path, query) => api.read(path, query, options) }
  for (const { path, query, paging } of source.calls(list, loginUserId)) {
    const read = await readPages(reader, path, query, paging)
    if (read.kind === 'failed') {
      const { kind, status } = readable(gate, read.outcome)
      if (kind === 'missing' && source.isEmptyAt404) continue
      return { status }
    }
    gate.succeeded()
    // The answer is not a list, so no record counts as missing.
    if (read.nonListStatus !== undefined) return { status: read.nonListStatus }
    all.rows.push(...read.rows)
    all.complete &&= read.complete
    if (read.endless) report(`${path}: pages without an end`)
  }
  return all
}

/** Reads one record by id. @returns its row; [] if the CRM does not have the record; null if the CRM refuses it */
async function readOne(
  { api, gate, loginUserId }: Pick<RecordPullParts<never>, 'api' | 'gate' | 'loginUserId'>,
  path: string,
  id: string,
  options: ReadOptions,
): Promise<unknown[] | null> {
  const outcome = await api.read(`${path}/${encodeURIComponent(id)}`, { loginUserId }, options)
  const read = readable(gate, outcome)
  if (read.kind === 'accepted') return [read.body]
  return read.kind === 'missing' ? [] : null
}

/** Parses the rows of a list. Each row is also converted to a record, so that an exception skips only that row. */
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
    (raw) => wireId(Reflect.get(Object(raw), 'id')),
  )

/** Parses the rows of a read. `isReadable` is false if no row could be parsed. */
async function parsedList<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  list: RecordList,
  read: Rows,
  stamp: string,
) {
  const { resource, report, name } = parts
  const { source } = resource
  const { rows, skipped, unreadable, problems } = await inSlices(parseListInSlices(resource, read.rows, list))
  reportProblems(report, `${name} ${list.owner}`, problems)
  const skippedIds = [...skipped, ...read.skippedIds]
  // If the CRM has rows but none can be parsed, no screen may say that there are no records (PL2, PL4).
  const isReadable = rows.length > 0 || (!unreadable && skippedIds.length === 0)
  // Records that are read one by one are complete even if one of them cannot be parsed.
  const isComplete = read.complete && !unreadable && (source.kind === 'named' || isReadable)
  const asOf = source.kind === 'named' ? source.asOf(list) : stamp
  const merged = { rows, stamp, completeAsOf: isComplete ? asOf : null, skippedIds }
  return { isReadable, merge: () => mergeList(parts, list.owner, merged) }
}

/** The read of a record that a screen needs by id. Only the response names the record's owner. */
export const oneWork = <R extends LocalRecord>(
  parts: RecordPullParts<R>,
  fetchRequest: FetchRequest,
): Work<WithDeleted<R>> => ({
  name: fetchRequestName(fetchRequest),
  priority: 'screen',
  fetchRequest,
  async read(options) {
    const { path, ownerIn } = parts.resource.one ?? { path: '', ownerIn: () => null }
    const stamp = parts.clock.stamp()
    const found = await readOne(parts, path, fetchRequest.recordKey ?? '', options)
    if (found?.length === 0) return answerOnly('missing')
    const owner = readOrNull(() => ownerIn(found?.[0]))
    if (owner === null) return answerOnly('failed')
    const rows = { rows: found ?? [], complete: false, skippedIds: [] }
    const { isReadable, merge } = await parsedList(parts, { owner, requests: [] }, rows, stamp)
    return async () => {
      const docs = await merge()
      return { docs, state: isReadable ? 'answered' : 'failed', total: docs.length }
    }
  },
})
