/** The lists of one collection that are to be read now, most urgent first (RULES PL4, PL5, PL8, PL10). */
import { isoOf } from '#schemas/instant.ts'
import { namesNone } from '#schemas/collections/prefetch.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { RecordList } from '#sync/resources/pull-resource.ts'
import { yieldToScreen } from '#sync/lib/yield-to-screen.ts'
import type { PullEngine } from '#sync/pull/engine/engine.ts'
import { fewestTriesFirst } from '#sync/scheduler/read-backoff.ts'
import { daysAt } from '#sync/pull/engine/freshness.ts'
import { questionsIn, type Question } from '#sync/storage/interests.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { localRecords } from './local-records.ts'
import type { createListMarks } from './list-freshness.ts'
import { nameOf } from './list-reads.ts'
import { isForCurrentScreen, openQuestions } from '#sync/pull/engine/open-fetch-requests.ts'
import {
  listRequestedAt,
  becauseOf,
  listsOf,
  unreadOwners,
  urgencyOf,
  wantedRequests,
  withRequested,
  type Urgency,
} from './record-lists.ts'
import type { DueList, ListRound, RecordPullParts } from './record-pull.ts'
import { requestsFor } from '#sync/pull/requests/requests-for.ts'

export interface DueParts<R extends LocalRecord> {
  parts: RecordPullParts<R>
  engine: Pick<PullEngine<unknown>, 'mayStart' | 'triesOf' | 'isStillTried' | 'isBusy'>
  marks: Pick<ReturnType<typeof createListMarks<R>>, 'get' | 'set' | 'give' | 'confirm'>
  round: ListRound
}

/** True if no call is needed, because the request names no record of this list. */
export const needsNoCall = <R extends LocalRecord>(
  { resource: { source } }: RecordPullParts<R>,
  list: RecordList,
) => source.kind === 'named' && source.ids(list).length === 0

export async function dueLists<R extends LocalRecord>(state: DueParts<R>): Promise<DueList[]> {
  const { parts, engine, marks, round } = state
  const { db, clock, name, resource, pacer } = parts
  const details = (await questionsIn(db)).filter(({ kind }) => kind === 'detail')
  const [now, stamp, days] = [clock.now(), clock.stamp(), daysAt(clock.now())]
  const pausedSince = pacer.pausedSince()
  const asOf = { ...round, now, days, pausedSince, lifetime: resource.lifetime, details }
  const isNamed = resource.source.kind === 'named'
  const local = isPushCollection(name)
    ? await localRecords(
        parts,
        isNamed ? {} : { serverId: { $gt: '' } },
        ({ server }) => server !== undefined,
      )
    : []
  const ownersWithRecords = new Set(local.map(resource.ownerOf))
  const sent = unreadOwners(local, resource.ownerOf)
  const due: Record<Urgency, DueList[]> = { sent: [], screen: [], due: [], paced: [] }
  const pause = yieldToScreen()
  for (const list of await allLists(state, details)) {
    await pause()
    const because = becauseOf(list, resource.because)
    const urgency = urgencyOf(list, marks.get(list.owner), because, asOf, sent.get(list.owner) ?? '')
    if (!urgency || (parts.isUrgentOnly() && (urgency === 'due' || urgency === 'paced'))) continue
    const entry = dueList(list, { because, urgency, details })
    if (!engine.mayStart(entry.name)) continue
    const isEmpty = urgency !== 'sent' && needsNoCall(parts, list) && !ownersWithRecords.has(list.owner)
    if (isEmpty) markEmpty(state, entry, { because, at: isoOf(now), stamp })
    else due[urgency].push(entry)
  }
  await marks.confirm(engine.isBusy())
  const ordered = (lists: DueList[]) => fewestTriesFirst(lists, ({ name }) => engine.triesOf(name))
  return [due.sent, due.screen, due.due, due.paced].flatMap(ordered)
}

interface Found {
  because: string
  urgency: Urgency
  details: readonly Question[]
}

function dueList(list: RecordList, { because, urgency, details }: Found): DueList {
  const askedAt = listRequestedAt(list, details)
  const forCurrentScreen = isForCurrentScreen(askedAt, list.asked ? [...details, list.asked] : details)
  const found = { ...list, because, askedAt, urgency, forCurrentScreen }
  return { ...found, name: nameOf(found) }
}

/**
 * Marks a list as read and empty. If all its requests state that the list is empty, no receipt is written,
 * because then no request waits for one (`prefetchKeys`).
 */
function markEmpty<R extends LocalRecord>(
  { parts, marks, round }: DueParts<R>,
  list: DueList,
  mark: { because: string; at: string; stamp: string },
): void {
  round.read.add(list.owner)
  round.answered.set(list.owner, list.askedAt)
  const isKnownEmpty = list.requests.length > 0 && list.requests.every((one) => namesNone(parts.name, one))
  if (isKnownEmpty && !list.asked) marks.set(list.owner, mark)
  else marks.give(list, mark, [])
}

async function allLists<R extends LocalRecord>(
  { parts, engine }: DueParts<R>,
  details: readonly Question[],
): Promise<RecordList[]> {
  const { db, name, clock, resource, supplierId } = parts
  const { owners } = resource
  if (!owners) return supplierId ? [{ owner: supplierId, requests: [] }] : []
  const isList = (one: Question) => one.kind === 'list' && one.resource === name
  const asked = await openQuestions(db, engine, isList)
  const requests = await requestsFor(db, clock.now(), [...details, ...asked])
  const needed = wantedRequests(requests, details, clock.now())
  return withRequested(listsOf(needed, owners, daysAt(clock.now())), asked, requests)
}
