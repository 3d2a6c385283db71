/**
 * The reads of records that belong to requests: a list, or one record that a screen names (RULES PL3–PL5).
 */
import type { WithDeleted } from 'rxdb'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { RecordList } from '#sync/resources/pull-resource.ts'
import { inSlices } from '#sync/lib/slices.ts'
import { oneRow } from '#sync/scheduler/read-pages.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'
import { readOrNull, reportProblems } from '#sync/lib/attempt.ts'
import { parseRowsInSlices, type ParsedRows } from '#sync/pull/engine/parse-rows.ts'
import { needsNoCall } from './due-lists.ts'
import type { QuestionAnswer } from '#sync/pull/engine/engine-state.ts'
import type { Merged, Reading, Work } from '#sync/pull/engine/engine-work.ts'
import { localOf, mergeList } from './list-merge.ts'
import type { createListMarks } from './list-freshness.ts'
import { listTask } from './list-reads.ts'
import { createListReader, type Rows } from './list-source.ts'
import type { Question } from '#sync/storage/interests.ts'
import { questionName } from '#sync/pull/engine/open-fetch-requests.ts'
import { isUnread as isNotReadSince } from './record-lists.ts'
import type { DueList, ListRound, RecordPullParts } from './record-pull.ts'

interface ReadParts<R extends LocalRecord> {
  parts: RecordPullParts<R>
  reader: ReturnType<typeof createListReader>
  marks: Pick<ReturnType<typeof createListMarks<R>>, 'get' | 'set' | 'give'>
  round: ListRound
  /** Called when a list could not be read, because another one may begin. */
  markPlanOld: () => void
}

/** Creates the reader of a collection's lists. */
export const readerOf = <R extends LocalRecord>(parts: RecordPullParts<R>) =>
  createListReader({
    ...parts,
    source: parts.resource.source,
    // Records that this device has sent and not read back yet.
    unreadOf: async (owner) => (await localOf(parts, owner)).filter(isNotReadSince),
  })

export function listWork<R extends LocalRecord>(state: ReadParts<R>, list: DueList): Work<WithDeleted<R>> {
  const { priority, ...task } = listTask(list, needsNoCall(state.parts, list))
  return {
    ...task,
    read: (signal) => readList(state, list, { priority, signal }),
    failed: async () => state.markPlanOld(),
  }
}

async function readList<R extends LocalRecord>(
  state: ReadParts<R>,
  list: DueList,
  options: ReadOptions,
): Promise<Reading<WithDeleted<R>>> {
  const { parts, reader, marks, round } = state
  const { clock, name, report } = parts
  const { owner, because, askedAt, asked } = list
  const stamp = clock.stamp()
  const mark = { because, stamp, at: new Date(clock.now()).toISOString() }
  const read = await reader.readRows(list, options)
  // A screen's read of the same list has ended meanwhile.
  if ((marks.get(owner)?.stamp ?? '') > stamp) return { merge: async () => ({ docs: [] }) }
  round.read.add(owner)
  round.answered.set(owner, askedAt)
  const failed: QuestionAnswer | undefined = asked && { asked, state: 'failed', total: 0 }
  const refuse = (why: string) => {
    marks.set(owner, mark)
    round.refused.add(owner)
    report(`${name} ${owner}: ${why}`)
  }
  if (read.kind === 'refused') {
    refuse(`${read.status}`)
    return { merge: async () => ({ docs: [], answer: failed }) }
  }
  const parsed = await parsedOf(parts, list, read)
  if (!isUnread(parsed))
    return readingOf(parts, list, parsed, { stamp, onMerged: (docs) => marks.give(list, mark, docs) })
  refuse('none of it can be read')
  const { merge, page } = readingOf(parts, list, parsed, { stamp, onMerged: () => undefined })
  return { page, merge: async (how) => ({ ...(await merge(how)), answer: failed }) }
}

/** The rows of a list that could be parsed. */
interface Parsed<R> extends ParsedRows<R> {
  complete: boolean
}

async function parsedOf<R extends LocalRecord>(
  { resource, report, name }: RecordPullParts<R>,
  list: RecordList,
  read: Rows,
): Promise<Parsed<R>> {
  const parsed: ParsedRows<R> = await inSlices(parseRowsInSlices(resource, read.rows, list))
  reportProblems(report, `${name} ${list.owner}`, parsed.problems)
  const { complete } = read
  return { ...parsed, complete, skippedIds: [...parsed.skippedIds, ...read.skippedIds] }
}

/** True if the CRM has rows but none can be parsed: no screen may then say that there are none (PL2, PL4). */
const isUnread = ({ rows, skippedIds, unreadable }: ParsedRows<unknown>): boolean =>
  rows.length === 0 && (unreadable || skippedIds.length > 0)

interface MergeHooks<R> {
  stamp: string
  /** Called with the documents that will be written. */
  onMerged: (docs: readonly WithDeleted<R>[]) => void
}

/** The reading of parsed rows: how they are merged with the device's records. */
function readingOf<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  list: RecordList,
  parsed: Parsed<R>,
  { stamp, onMerged }: MergeHooks<R>,
): Reading<WithDeleted<R>> {
  const { source } = parts.resource
  const { rows, skippedIds, complete, unreadable } = parsed
  // For records that are read one by one, each answer counts separately.
  const isKnown = source.kind === 'named' || !isUnread(parsed)
  return {
    page: { kind: 'whole', isComplete: complete && !unreadable && isKnown },
    async merge({ removes }) {
      const asOf = source.kind === 'named' ? source.asOf(list) : stamp
      const docs = await mergeList(parts, list, {
        rows,
        stamp,
        completeAsOf: removes ? asOf : null,
        skippedIds,
      })
      onMerged(docs)
      return { docs }
    },
  }
}

/** The read of a record that a screen needs by id; its owner is known only from the response. */
export const oneWork = <R extends LocalRecord>(
  state: ReadParts<R>,
  asked: Question,
): Work<WithDeleted<R>> => ({
  name: questionName(asked),
  lane: 'one',
  isForScreen: true,
  asked,
  async read(signal) {
    const { clock, resource, api, loginUserId } = state.parts
    const { path, ownerIn } = resource.one ?? { path: '', ownerIn: () => null }
    const id = asked.recordKey ?? ''
    const stamp = clock.stamp()
    const one = await api.read(
      `${path}/${encodeURIComponent(id)}`,
      { loginUserId },
      { priority: 'screen', signal },
    )
    const read = state.reader.interpreted(oneRow(one), true)
    const [row] = read.kind === 'rows' ? read.rows : []
    const owner = row === undefined ? null : readOrNull(() => ownerIn(row))
    const isMissing = read.kind === 'rows' && row === undefined
    if (owner === null) {
      const state = isMissing ? 'missing' : 'failed'
      return { merge: async () => ({ docs: [], answer: { asked, state, total: 0 } }) }
    }
    return oneReading(state, { owner, row, stamp, asked })
  },
})

interface OneRead {
  owner: string
  row: unknown
  stamp: string
  asked: Question
}

async function oneReading<R extends LocalRecord>(
  { parts }: ReadParts<R>,
  { owner, row, stamp, asked }: OneRead,
): Promise<Reading<WithDeleted<R>>> {
  const rows: Rows = { kind: 'rows', rows: [row], complete: false, skippedIds: [] }
  const list = { owner, requests: [] }
  const parsed = await parsedOf(parts, list, rows)
  const { merge } = readingOf(parts, list, parsed, { stamp, onMerged: () => undefined })
  return {
    async merge(how): Promise<Merged<WithDeleted<R>>> {
      const { docs } = await merge(how)
      const state = isUnread(parsed) ? 'failed' : 'answered'
      return { docs, answer: { asked, state, total: docs.length } }
    },
  }
}
