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
import { orNull, tellProblems } from '../wire/attempt.ts'
import { eachOnce, removeHere } from '../retention/expiry.ts'
import { daysAt } from './freshness.ts'
import { dependentsOf } from '../retention/dependents.ts'
import { interestsOf } from './interests.ts'
import { createListMarks } from './list-marks.ts'
import { createListReads, isOnGlass, nameOf } from './list-reads.ts'
import { createListReader, type Rows } from './list-source.ts'
import { mergeRows } from '../merge/merge-rows.ts'
import { parseRows } from '../wire/parse-rows.ts'
import { createPullLoop } from './pull-loop.ts'
import { openQuestions, questionName } from './questions.ts'
import type { Way } from '../transport/read-queue.ts'
import type { DueList, RecordPull, RecordPullParts } from './record-pull.ts'
import { createOrphans } from '../retention/orphans.ts'
import { oneRow } from '../transport/read-pages.ts'
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
import type { LocalRecord, RecordList } from '../resources/pull-resource.ts'
import { yieldToScreen } from '../runtime/yield-to-screen.ts'
import { tokyoDay } from '../runtime/tokyo-day.ts'

/** Without a signal thousands would only wait in memory, each with its requests. */
const LISTS_KEPT = 200
export function createRecordPull<R extends LocalRecord>(parts: RecordPullParts<R>): RecordPull<R> {
  const { db, name, collection, resource, ledger, api, clock, loginUserId, report } = parts
  const { source, owners } = resource
  const { readRows, usable } = createListReader({ ...parts, source, unreadOf })
  const marks = createListMarks({ ...parts, isKept: owners !== undefined })
  const readInRound = new Set<string>()
  const evicted = eachOnce()
  const orphans = createOrphans(parts)
  const refused = new Set<string>()
  const answered = new Map<string, string>()
  let refreshedAt = ''
  /** The lists still to be read, most urgent first; null where that is to be found out. */
  let plan: DueList[] | null = null
  /** There may be something that the plan does not know of: also where that came while it was being made. */
  let looked = false
  /** There is more than is kept in the plan. */
  let isCut = false

  /** The questions that the plan knows of. */
  let plannedFor = ''
  const isQuestion = ({ kind, resource }: Interest) =>
    (kind === 'list' && resource === name) || (kind === 'detail' && (!resource || resource === name))
  const loop = createPullLoop({ ...parts, accepted: api.accepted, expired, begin })
  const reads = createListReads({ loop, pacer: parts.pacer, isFree, read: readList, failed })

  async function begin(isOpen: boolean): Promise<WithDeleted<R>[] | null> {
    await marks.load()
    await marks.confirm()
    const questions = await openQuestions(db, loop.backoffs, isQuestion)
    for (const asked of questions)
      if (asked.kind === 'detail' && asked.resource === name) beginOne(asked, isOpen)
    const isAsked = questionsOf(questions) !== plannedFor
    // a look through all requests costs: not for what could not begin anyway
    if (plan === null || isAsked || (looked && reads.hasRoom())) {
      looked = false
      plannedFor = questionsOf(questions)
      plan = await dueLists()
    }
    plan = plan.filter((list) => !reads.begin(list, isOpen))
    if (!isOpen || plan.length > 0) return null
    if (isCut) {
      plan = null
      return []
    }
    const gone = loop.isBusy() ? [] : await expired()
    return gone.length > 0 ? gone : null
  }

  function beginOne(asked: Interest, isOpen: boolean) {
    const id = questionName(asked)
    if (!loop.mayAsk(id, isOpen)) return
    loop.start(
      id,
      (signal) => readOne(asked, { priority: 'screen', signal }),
      async ({ kind }) => kind === 'unknown' && marks.answer(asked, 'failed'),
    )
  }

  /** Without a call. */
  function isFree(list: RecordList) {
    return source.kind === 'named' && source.ids(list).length === 0
  }

  /** @param isAnswered the CRM said something; the screen can say that it was of no use */
  async function failed(list: DueList, isAnswered: boolean) {
    looked = true
    if (isAnswered) await marks.answer(list.asked, 'failed')
  }

  async function dueLists(): Promise<DueList[]> {
    const details = await interestsOf(db, 'detail')
    const now = clock.now()
    const stamp = clock.stamp()
    const { kept } = resource
    const { pausedSince } = parts.pacer
    const asOf = { now, days: daysAt(now), refreshedAt, pausedSince: pausedSince() }
    const round = { ...asOf, read: readInRound, kept, details, answered }
    const here = isPushed ? await find(source.kind === 'named' ? {} : { serverId: { $gt: '' } }) : []
    const held = new Set(here.map(resource.ownerOf))
    const sent = unreadOwners(here, resource.ownerOf)
    const plan: Record<Urgency, DueList[]> = { sent: [], screen: [], due: [], paced: [] }
    const pause = yieldToScreen()
    for (const list of await allLists(details)) {
      await pause()
      const because = becauseOf(list, resource.because)
      const urgency = urgencyOf(list, marks.get(list.owner), because, round, sent.get(list.owner) ?? '')
      if (!urgency || (parts.isHeld() && (urgency === 'due' || urgency === 'paced'))) continue
      const askedAt = askedForList(list, details)
      const onGlass = isOnGlass(askedAt, list.asked ? [...details, list.asked] : details)
      const found = { ...list, because, askedAt, urgency, onGlass }
      const entry = { ...found, name: nameOf(found) }
      if (!loop.mayStart(entry.name)) continue
      if (urgency !== 'sent' && isFree(list) && !held.has(list.owner))
        giveEmpty(entry, { because, at: isoOf(now), stamp })
      else plan[urgency].push(entry)
    }
    await marks.confirm()
    const isDoubtful = ({ name }: DueList) => Number(loop.backoffs.isDoubtful(name))
    const inTurn = (lists: DueList[]) => lists.toSorted((a, b) => isDoubtful(a) - isDoubtful(b))
    const all = [...plan.sent, ...plan.screen, ...inTurn(plan.due), ...inTurn(plan.paced)]
    isCut = all.length > LISTS_KEPT
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
    const isList = (one: Interest) => one.kind === 'list' && one.resource === name
    const asked = await openQuestions(db, loop.backoffs, isList)
    const requests = await requestsFor(db, clock.now(), [...details, ...asked])
    const lists = listsOf(wantedRequests(requests, details, clock.now()), owners, tokyoDay(clock.now()))
    return withAsked(lists, asked, requests)
  }

  /** Records of requests that have left the device, a day after they were confirmed (RULES EX1). */
  async function expired(): Promise<WithDeleted<R>[]> {
    const old = await orphans.find()
    if (old.length === 0) return []
    const { onRecord } = await dependentsOf(db)
    const over = old.filter((record) => !onRecord(name, record))
    await marks.forget(new Set(over.map(resource.ownerOf)))
    await removeHere(collection, evicted.left(over))
    return evicted.only(over).map((record) => ({ ...record, _deleted: true }))
  }

  async function readList(list: DueList, way: Way): Promise<WithDeleted<R>[]> {
    const { owner, because, askedAt } = list
    const stamp = clock.stamp()
    const at = isoOf(clock.now())
    const read = await readRows(list, way)
    // it was read anew beside this, for a screen
    if ((marks.get(owner)?.stamp ?? '') > stamp) return []
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
    tellProblems(report, `${name} ${list.owner}`, parsed.problems)
    const local = await localOf(
      list.owner,
      parsed.rows.map(({ id }) => id),
    )
    const complete = read.complete === true && !parsed.unreadable
    const { onRecord } = await dependentsOf(db)
    return mergeRows({
      resource: name,
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
  async function readOne(asked: Interest, way: Way): Promise<WithDeleted<R>[]> {
    const { path, ownerIn } = resource.one ?? { path: '', ownerIn: () => null }
    const id = asked.recordKey ?? ''
    const stamp = clock.stamp()
    const one = await api.read(`${path}/${encodeURIComponent(id)}`, { loginUserId }, way)
    const read = usable(oneRow(one), true)
    const [row] = read.kind === 'rows' ? read.rows : []
    const owner = row === undefined ? null : orNull(() => ownerIn(row))
    const docs = owner === null ? [] : await merged({ owner, requests: [] }, { rows: [row] }, stamp)
    const isMissing = read.kind === 'rows' && row === undefined
    await marks.answer(asked, isMissing ? 'missing' : owner === null ? 'failed' : 'answered', docs.length)
    return docs
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

  /** What was sent from here and not read since. */
  async function unreadOf(owner: string) {
    return (await localOf(owner)).filter(isUnread)
  }

  const look = () => {
    looked = true
    loop.ring()
  }

  return {
    handler: loop.handler,
    ring: loop.ring,
    look,
    refetch(asked) {
      if (asked) {
        refreshedAt = isoOf(clock.now())
        loop.backoffs.clear()
      }
      look()
      readInRound.clear()
      evicted.again()
      orphans.again()
      for (const owner of refused) marks.delete(owner)
      refused.clear()
    },
    missed(keys) {
      look()
      marks.missed(keys)
    },
  }
}

/** Two texts that differ where the open questions do. */
const questionsOf = (questions: readonly Interest[]) => questions.map(questionName).join()

const isoOf = (ms: number) => new Date(ms).toISOString()
