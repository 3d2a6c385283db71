/**
 * The pull of the records that hang on requests: one for each collection, all by the same table (RULES PL3–PL5).
 *
 *     requests on the device ─→ lists their screens need ─→ those due, nearest day first ─→ rows ─→ merge
 *                                                            └─ read and on the device: an interest `prefetch` says so
 *
 * RxDB does not await the writing of what it was given (trap 14): a list counts as read for the round at once, and is
 * marked as being on the device only when its documents are seen there.
 */
import type { WithDeleted } from 'rxdb'
import type { Interest } from '#schemas/interest.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { eachOnce, isExpiredRecord, passedOr } from './expiry.ts'
import { daysAt } from './freshness.ts'
import { hanging } from './hanging.ts'
import { interestsOf } from './interests-of.ts'
import { createListMarks } from './list-marks.ts'
import { mergeRows } from './merge-rows.ts'
import { parseRows } from './parse-rows.ts'
import type { DueList, RecordPull, RecordPullParts } from './record-pull.ts'
import { allOrSome, PullAgain } from './pull-requests.ts'
import { oneRow, readPages, type PagesRead } from './read-pages.ts'
import {
  type ListMark,
  askedForList,
  becauseOf,
  isUnread,
  listsOf,
  unreadOwners,
  urgencyOf,
  wantedRequests,
  withAsked,
  type Urgency,
} from './record-lists.ts'
import { requestsFor } from './requests-for.ts'
import type { LocalRecord, RecordList } from './resources/pull-resource.ts'
import { slices } from './slices.ts'
import { tokyoDay } from './tokyo-day.ts'

/** Lists read at once by one collection: the other collections and the requests want their turn, too. */
const LISTS_AT_ONCE = 2
/** Without a signal thousands would only wait in memory, each with its requests. */
const LISTS_KEPT = 200
/** Lists looked through at once that need no call. */
const FREE_AT_ONCE = 20

export function createRecordPull<R extends LocalRecord>(parts: RecordPullParts<R>): RecordPull<R> {
  const { db, name, collection, resource, ledger, api, gate, clock, loginUserId, report } = parts
  const { source, owners } = resource
  const marks = createListMarks({ ...parts, isKept: owners !== undefined })
  const readInRound = new Set<string>()
  const evicted = eachOnce()
  const refused = new Set<string>()
  const answered = new Map<string, string>()
  let refreshedAt = ''
  /** The lists still to be read, most urgent first; null where that is to be found out. */
  let plan: DueList[] | null = null
  /** There may be something that the plan does not know of: it was being made. */
  let looked = false
  /** More was due than the plan holds. */
  let isMore = false

  async function next(): Promise<WithDeleted<R>[] | null> {
    await marks.load()
    await marks.confirm()
    const asked = (await interestsOf(db, 'detail')).find(
      (one) => one.resource === name && one.state === 'asked',
    )
    if (asked) return readOne(asked)
    if (plan === null) {
      looked = false
      plan = await dueLists()
    }
    const free = plan.filter(isFree).slice(0, FREE_AT_ONCE)
    const due = [...free, ...inTurn(plan.filter((list) => !free.includes(list)))]
    plan = plan.filter((list) => !due.includes(list))
    if (due.length === 0) {
      if (looked || (isMore && plan.length === 0)) {
        plan = null
        return next()
      }
      // what is left waits for its pace
      if (plan.length > 0) return null
      const gone = await expired()
      return gone.length > 0 ? gone : null
    }
    const reads = await allOrSome(due.map(readPlanned))
    await marks.confirm()
    return reads.flat()
  }

  /** What somebody waits for first; what is only to be confirmed when its pace allows (RULES PL10). */
  function inTurn(lists: readonly DueList[]): DueList[] {
    const now = lists.filter(({ urgency }) => urgency !== 'paced').slice(0, LISTS_AT_ONCE)
    const rest = now.length > 0 ? [] : lists.slice(0, LISTS_AT_ONCE)
    return [...now, ...rest.slice(0, parts.pacer.grant(rest.length))]
  }

  /** Without a call. */
  const isFree = (list: RecordList) => source.kind === 'named' && source.ids(list).length === 0
  const readPlanned = (list: DueList) =>
    readList(list).catch((error: unknown) => {
      // it is still due
      plan = null
      throw error
    })

  async function dueLists(): Promise<DueList[]> {
    const details = await interestsOf(db, 'detail')
    const now = clock.now()
    const stamp = clock.stamp()
    const { kept } = resource
    const pausedSince = parts.pacer.pausedSince()
    const days = daysAt(now)
    const round = { now, days, refreshedAt, pausedSince, read: readInRound, kept, details, answered }
    const here = isPushed ? await find(source.kind === 'named' ? {} : { serverId: { $gt: '' } }) : []
    const held = new Set(here.map(resource.ownerOf))
    const sent = unreadOwners(here, resource.ownerOf)
    const plan: Record<Urgency, DueList[]> = { sent: [], screen: [], due: [], paced: [] }
    const pause = slices()
    for (const list of await allLists(details)) {
      await pause()
      const because = becauseOf(list, resource.because)
      const urgency = urgencyOf(list, marks.get(list.owner), because, round, sent.get(list.owner) ?? '')
      if (!urgency || (parts.isHeld() && urgency !== 'sent' && urgency !== 'screen')) continue
      const entry = { ...list, because, askedAt: askedForList(list, details), urgency }
      if (urgency !== 'sent' && isFree(list) && !held.has(list.owner))
        giveEmpty(entry, { because, at: isoOf(now), stamp })
      else plan[urgency].push(entry)
    }
    await marks.confirm()
    const all = [...plan.sent, ...plan.screen, ...plan.due, ...plan.paced]
    isMore = all.length > LISTS_KEPT
    return all.slice(0, LISTS_KEPT)
  }

  /** Nothing to read, and nothing on the device: thousands of these are not looked for one by one. */
  function giveEmpty(list: DueList, mark: ListMark) {
    readInRound.add(list.owner)
    answered.set(list.owner, list.askedAt)
    marks.give(list, mark, [])
  }

  async function allLists(details: readonly Interest[]): Promise<RecordList[]> {
    if (!owners) return parts.supplierId ? [{ owner: parts.supplierId, requests: [] }] : []
    const asked = (await interestsOf(db, 'list')).filter(
      (one) => one.resource === name && one.state === 'asked',
    )
    const requests = await requestsFor(db, clock.now(), [...details, ...asked])
    const lists = listsOf(wantedRequests(requests, details, clock.now()), owners, tokyoDay(clock.now()))
    return withAsked(lists, asked, requests)
  }

  /** Records of requests that have left the device, a day after they were confirmed (RULES EX1). */
  async function expired(): Promise<WithDeleted<R>[]> {
    const old = (await find({})).filter((record) => isExpiredRecord(record, clock.now()))
    if (old.length === 0 || !owners) return []
    const requests = await db.requests.find().exec()
    const needed = new Set(requests.flatMap((doc) => owners(doc.toJSON() as RequestRecord)))
    const { onRecord } = await hanging(db)
    return evicted
      .only(old.filter((record) => !needed.has(resource.ownerOf(record)) && !onRecord(name, record)))
      .map((record) => ({ ...record, _deleted: true }))
  }

  async function readList(list: DueList): Promise<WithDeleted<R>[]> {
    const { owner, because, askedAt } = list
    const stamp = clock.stamp()
    const at = isoOf(clock.now())
    const read = await readRows(list)
    readInRound.add(owner)
    answered.set(owner, askedAt)
    if (read.kind === 'refused') {
      marks.set(owner, { because, at, stamp })
      refused.add(owner)
      await marks.answer(list.asked, 'failed')
      report(`${name} ${owner}: ${read.status}`)
      return []
    }
    const docs = await merged(list, read, stamp)
    marks.give(list, { because, at, stamp }, docs)
    return docs
  }

  /** What these rows change on the device; without `complete` they remove nothing. */
  async function merged(list: RecordList, read: Pick<Rows, 'rows'> & Partial<Rows>, stamp: string) {
    const parsed = parseRows(resource, read.rows, list)
    for (const problem of parsed.problems) report(`${name} ${list.owner}: ${problem}`)
    const local = await localOf(
      list.owner,
      parsed.rows.map(({ id }) => id),
    )
    const complete = read.complete === true && !parsed.unreadable
    const { onRecord } = await hanging(db)
    return mergeRows({
      rows: parsed.rows,
      local,
      skippedIds: [...parsed.skippedIds, ...(read.skippedIds ?? [])],
      stamp,
      completeAsOf: complete ? (source.kind === 'named' ? source.asOf(list) : stamp) : null,
      isKept: (record) => onRecord(name, record),
      ledger: await ledger.read(local.flatMap(({ changes = [] }) => changes.map(({ id }) => id))),
      loginUserId,
    })
  }

  /** A record that a screen names by its id, whatever it belongs to. */
  async function readOne(asked: Interest): Promise<WithDeleted<R>[]> {
    const { path, ownerIn } = resource.one ?? { path: '', ownerIn: () => null }
    const id = asked.recordKey ?? ''
    const stamp = clock.stamp()
    const read = usable(oneRow(await api.read(`${path}/${encodeURIComponent(id)}`, { loginUserId })), true)
    const [row] = read.kind === 'rows' ? read.rows : []
    const owner = row === undefined ? null : ownerIn(row)
    const docs = owner === null ? [] : await merged({ owner, requests: [] }, { rows: [row] }, stamp)
    const isMissing = read.kind === 'rows' && row === undefined
    await marks.answer(asked, isMissing ? 'missing' : owner === null ? 'failed' : 'answered', docs.length)
    return docs
  }

  interface Rows {
    kind: 'rows'
    rows: unknown[]
    complete: boolean
    skippedIds: string[]
  }

  async function readRows(list: RecordList): Promise<Rows | { kind: 'refused'; status: number }> {
    if (source.kind === 'named') return readNamed(list, source)
    const all: Rows = { kind: 'rows', rows: [], complete: true, skippedIds: [] }
    for (const { path, query, paging } of source.calls(list, loginUserId)) {
      const read = usable(await readPages(api, path, query, paging), source.isEmptyAt404 === true)
      if (read.kind === 'refused') return read
      all.rows.push(...read.rows)
      all.complete &&= read.complete
    }
    return all
  }

  /** Each by its id: those that the request names, and those made here that were not read since. */
  async function readNamed(list: RecordList, { path, ids }: Extract<typeof source, { kind: 'named' }>) {
    const unread = (await localOf(list.owner)).filter(isUnread)
    const wanted = [...new Set([...ids(list), ...unread.map(({ serverId = '' }) => serverId)])]
    const all: Rows = { kind: 'rows', rows: [], complete: true, skippedIds: [] }
    const reads = wanted.map(async (id) => {
      const outcome = await api.read(`${path}/${encodeURIComponent(id)}`, { loginUserId })
      const read = usable(oneRow(outcome), true)
      if (read.kind === 'rows') all.rows.push(...read.rows)
      else all.skippedIds.push(id)
    })
    await Promise.all(reads)
    return all
  }

  /**
   * @param isNone whether 404 says that there is none: of one record it does, of a list only where the contract says so
   * @throws PullAgain when the CRM could not be asked; RxDB then calls the handler again
   */
  function usable(
    read: PagesRead,
    isNone: boolean,
  ): Extract<PagesRead, { kind: 'rows' }> | { kind: 'refused'; status: number } {
    if (read.kind === 'rows' || read.outcome.kind === 'missing' || read.outcome.kind === 'refused')
      gate.succeeded()
    if (read.kind === 'rows') return read
    const { outcome } = read
    if (outcome.kind === 'missing' && isNone) return { kind: 'rows', rows: [], complete: true }
    if (outcome.kind === 'refused' || outcome.kind === 'missing')
      return { kind: 'refused', status: outcome.status }
    gate.failed(outcome.kind === 'throttled' ? outcome.retryAfterMs : 0)
    throw new PullAgain(outcome.kind)
  }

  const isPushed = 'serverId' in collection.schema.jsonSchema.properties
  const find = async (selector: object) => {
    const docs = await collection.find({ selector }).exec()
    return docs.map((doc) => doc.toJSON() as R)
  }

  /** As they are now: what was saved, sent or refused during a read must not be written over (PL3, SV3). */
  async function localOf(owner: string, ids: readonly string[] = []): Promise<R[]> {
    const ofList = await find(resource.localSelector(owner))
    const holding = isPushed && ids.length > 0 ? await find({ serverId: { $in: [...ids] } }) : []
    return [...new Map([...ofList, ...holding].map((record) => [record.key, record])).values()]
  }

  const look = () => {
    plan = null
    looked = true
  }

  return {
    async handler() {
      for (;;) {
        const gone = await passedOr(gate, expired)
        const docs = gone.length > 0 ? gone : await next()
        if (docs === null) return []
        if (docs.length > 0) return docs
      }
    },
    look,
    refetch(asked) {
      look()
      if (asked) refreshedAt = isoOf(clock.now())
      readInRound.clear()
      evicted.again()
      for (const owner of refused) marks.delete(owner)
      refused.clear()
    },
    missed(keys) {
      look()
      marks.missed(keys)
    },
  }
}

const isoOf = (ms: number) => new Date(ms).toISOString()
