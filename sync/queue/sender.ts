/**
 * Sends the queue: every unacknowledged change of every collection, in the order of saving, one at a time (RULES OR1).
 * The push handlers of all collections run it; a lock lets one through, over all tabs.
 *
 *     next in queue ─ sent before, end not known? ── read back ─ ours → accepted
 *          │                                            └ absent ↓
 *          └──────→ ledger: sending → call → accepted │ refused → next
 *                                          └ unknown, unreachable, throttled, unauthorized → stop, come back later
 *
 * Invariants: the ledger says `sending` before a call leaves (OC3) and `accepted` before anything else learns of it
 * (OC1); the record's document is settled after that, and again at the next run if a crash came between.
 */
import {
  CREATING_KINDS,
  isInDoubt,
  isSendable,
  PAUSED,
  queueOf,
  type PendingRecord,
  type QueueItem,
} from '#schemas/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import { EXPIRY_HOURS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { drained, type Step } from './drain.ts'
import type { Job, SenderParts, Work } from './job.ts'
import { readBeforeSend } from './read-before-send.ts'
import { afterAccepted, afterReason, createFaults, hasReason } from './own-fault.ts'
import type { QueueStore } from './queue-store.ts'
import { resourceOf, settled } from '../resources/resource-table.ts'
import type { Created } from '../resources/push-resource.ts'
import { createLooks } from './second-look.ts'
import { PRECONDITION_FAILED } from '../transport/strong-tag.ts'
import { ended, isNobodysFault, isOfNoUse, isoNow, lookTwice, notLooked, park, stop } from './unsent.ts'

/** So often one change's own fault was answered with a 5xx: 失敗 (RULES OR3). */
const MAX_SERVER_ERRORS = 5

export type { Step } from './drain.ts'

export interface Sender {
  /** Sends until the queue holds nothing that can go, or something stands in the way. */
  drain(): Promise<Step>
}

/** So often a PUT is merged anew within one run where somebody else is quicker each time (RULES MG4). */
const MERGE_TRIES = 3

const DONE: Step = { kind: 'done' }

export const sendLock = (store: QueueStore) => `genba-send-${store.name}`

export function createSender(parts: SenderParts): Sender {
  const faults = createFaults()
  const looks = createLooks(parts.elapsed, parts.limitMs)
  return {
    async drain() {
      const following: Promise<void>[] = []
      const work = { ...parts, faults, looks, following, settling: parts.store }
      const locked = <T>(run: (held: Work) => Promise<T>) =>
        parts.locks.request(sendLock(parts.store), (hold) =>
          run({ ...work, hold, store: parts.store.within(hold) }),
        )
      await locked(settleAccepted)
      try {
        return await drained({
          async queue() {
            await Promise.all(following.splice(0))
            return (await readQueue(work)).filter(isSendable)
          },
          send: (item) => locked((held) => sendChange(held, item)),
          faults,
          leave: ({ record }) => parts.wake(record, RETRY_MAX_MS),
        })
      } finally {
        await Promise.allSettled(following)
      }
    },
  }
}

const readQueue = async ({ store }: SenderParts): Promise<QueueItem[]> =>
  queueOf(await store.pending(), await store.ledger.read())

/** A crash between the ledger's `accepted` and the document: the document follows now (RULES OC1). */
async function settleAccepted(work: Work): Promise<void> {
  const ledger = await work.store.ledger.read()
  for (const record of await work.store.pending())
    for (const change of record.changes) {
      const entry = ledger.get(change.id)
      if (entry?.state === 'accepted') await settle(work, record, change, { id: entry.serverId })
    }
}

/** Where somebody else was quicker than a PUT: read, merged, and again; then it waits (RULES MG4). */
async function sendChange(work: Work, queued: QueueItem): Promise<Step> {
  const stale = new Set<string>()
  let step = await tryChange(work, queued, stale)
  const isStale = () => step.kind === 'blocked' && step.outcome.kind === 'stale'
  for (let tries = 1; isStale() && tries < MERGE_TRIES; tries += 1)
    step = await tryChange(work, queued, stale)
  return step
}

/** @param stale ETags that a 412 was answered to */
async function tryChange(work: Work, queued: QueueItem, stale: Set<string>): Promise<Step> {
  const job = await loadJob(work, queued)
  if (!job || !isSendable(job.item)) return DONE
  if (job.change.userId !== work.userId) return park(work, job, 'refused', ['otherUser'], 0)
  const over = ending(work, job)
  // what may be in the CRM is looked for first: it shows 失敗 or 期限切れ only if it is not there (RULES ST1)
  if (over && !isInDoubt(job.item)) return park(work, job, ...over)
  const look = await lookTwice(work, job)
  if (look === 'later') return DONE
  if (look.kind === 'there') return accept(work, [job], { id: look.serverId })
  if (look.kind === 'failed')
    return isTriedOut(job) && isOfNoUse(look.outcome)
      ? park(work, job, ...systemError(job))
      : notLooked(work, [job.item], look.outcome, isInDoubt(job.item))
  return over ? park(work, job, ...over) : call(work, queued, usable(queued, look.etag, stale))
}

/** A CRM that cannot be asked this way loses nothing: where a tag is stale and still the latest, or all were, it goes without. */
const usable = ({ ledger }: QueueItem, etag: string | undefined, stale: Set<string>): IfMatch =>
  etag === undefined || stale.has(etag) || ledger?.status === PRECONDITION_FAILED ? null : { etag, stale }

type Ending = ['refused' | 'expired', string[], number]

const systemError = ({ item }: Job): Ending => ['refused', ['systemError'], item.ledger?.status ?? 0]

/** How a change ends that is no longer sent by itself. */
const ending = (work: Work, job: Job): Ending | null =>
  isExpired(work, job) ? ['expired', [], 0] : isTriedOut(job) ? systemError(job) : null

/** The state that a PUT is made for, and where it is kept should that be another one by then. */
type IfMatch = { etag: string; stale: Set<string> } | null

async function call(work: Work, queued: QueueItem, ifMatch: IfMatch): Promise<Step> {
  // as it is on disk: what was read may have been laid under it
  const job = await loadJob(work, queued)
  if (!job) return DONE
  const resource = resourceOf(job.record.resource)
  const group = [job, ...(await groupOf(work, job))]
  const records = group.map(({ record }) => record)
  const plan = resource.plan(job, records, work.loginUserId)
  if (!plan) return park(work, job, 'refused', ['ec00013'], 0)
  const jobs = group.filter(({ record }) => plan.recordKeys.includes(record.key))
  const items = jobs.map(({ item }) => item)
  if (!(await work.store.ledger.begin(items, JSON.stringify(plan.call.body)))) return DONE
  const condition = plan.isOfOne && ifMatch ? { ifMatch: ifMatch.etag } : {}
  const outcome = await work.api.write({ ...plan.call, ...condition }, work.hold)
  ended(work, items, outcome)
  switch (outcome.kind) {
    case 'accepted': {
      const { serverId } = job.record
      const created = plan.call.idempotencyKey ? resource.created(outcome.body) : { id: serverId }
      if (created) {
        const ids = jobs.map(({ change }) => change.id)
        work.faults.fold((state) => afterAccepted(state, ids))
        return accept(work, jobs, created)
      }
      return stop(work, items, { kind: 'unknown', status: outcome.status }, { inDoubt: true })
    }
    case 'refused':
    case 'missing':
      return refused(work, jobs, outcome)
    case 'stale':
      ifMatch?.stale.add(ifMatch.etag)
      // a browser may have sent it twice by itself: what it says may be there
      return stop(work, items, outcome, { inDoubt: true })
    case 'unknown':
    case 'unreachable':
    case 'throttled':
    case 'unauthorized':
      return stop(work, items, outcome, {
        inDoubt: outcome.kind === 'unknown' || items.some(isInDoubt),
        // once others were accepted in between, the read before this call is enough of a sign that the CRM is there
        isOwn: items.some(({ ledger }) => (ledger?.serverErrors ?? 0) > 0),
      })
  }
}

/** Refused, unless an earlier call of the same change has arrived late, and that is why (RULES OC3). */
async function refused(
  work: Work,
  jobs: Job[],
  { reasons, status }: { reasons: string[]; status: number },
): Promise<Step> {
  const items = jobs.map(({ item }) => item)
  for (const job of jobs.filter(({ item }) => item.ledger?.payload)) {
    const look = await readBeforeSend(work, job, true)
    if (look.kind === 'there') return accept(work, [job], { id: look.serverId })
    if (look.kind === 'failed') return notLooked(work, items, look.outcome, true)
  }
  if (hasReason({ status, reasons })) work.faults.fold(afterReason)
  else if (await isNobodysFault(work, items))
    return stop(work, items, { kind: 'unknown', status }, { inDoubt: true, reasons: [PAUSED] })
  await work.store.ledger.put(items, { state: 'refused', reasons, status, settledAt: isoNow(work) })
  return DONE
}

async function accept(work: Work, jobs: Job[], created: Created): Promise<Step> {
  const items = jobs.map(({ item }) => item)
  const { id: serverId } = created
  await work.store.ledger.put(items, { state: 'accepted', reasons: [], settledAt: isoNow(work), serverId })
  for (const { record, change } of jobs) {
    const write = settle(work, record, change, created)
    // it is awaited before the queue is read again; failing till then is no unhandled rejection
    write.catch(() => undefined)
    work.following.push(write)
  }
  return DONE
}

async function settle(work: Work, { resource, key }: PendingRecord, change: AnyChange, created: Created) {
  const stamp = work.clock.stamp()
  await work.settling.modify(resource, key, (record) =>
    record.changes.some(({ id }) => id === change.id)
      ? settled(
          record,
          change,
          { ...created, id: record.serverId || created.id },
          stamp,
          resourceOf(resource),
        )
      : record,
  )
}

async function loadJob(work: Work, queued: QueueItem): Promise<Job | null> {
  const { store } = work
  const record = await store.record(queued.record.resource, queued.record.key)
  const change = record?.changes.find(({ id }) => id === queued.change.id)
  if (!record || !change) return null
  const ledger = await store.ledger.read(record.changes.map(({ id }) => id))
  const accepted = record.changes.filter(({ id }) => ledger.get(id)?.state === 'accepted')
  if (accepted.length > 0) {
    // what it depends on has been accepted, and its document is still on the way
    for (const done of accepted) await settle(work, record, done, { id: ledger.get(done.id)?.serverId ?? '' })
    return loadJob(work, queued)
  }
  const open = queueOf([record], ledger)
  const item = open.find(({ change: { id } }) => id === change.id)
  // what it hangs on is another tab's, and how that ended has not been heard here yet (RULES OR2)
  const isEarly = open[0] !== item && CREATING_KINDS.includes(open[0]?.change.kind ?? '')
  return item && !isEarly ? { record, change, item } : null
}

/** The other records of the same save that can go with it in one call. */
async function groupOf(work: Work, { record, change }: Job): Promise<Job[]> {
  if (!change.group) return []
  const members = (await readQueue(work)).filter(
    (item) => item.change.group === change.group && item.record.key !== record.key && isSendable(item),
  )
  const jobs = await Promise.all(members.map((item) => loadJob(work, item)))
  const alike = jobs
    .filter((job) => job !== null)
    .filter((job) => job.record.serverId !== '' && job.change.kind === change.kind)
  // one that cannot be read now, or is there already, has its own turn
  const looked = alike.map(async (job) =>
    (await readBeforeSend(work, job)).kind === 'absent' ? loadJob(work, job.item) : null,
  )
  return (await Promise.all(looked)).filter((job) => job !== null)
}

const isTriedOut = ({ item }: Job) => (item.ledger?.serverErrors ?? 0) >= MAX_SERVER_ERRORS

/** A change unsent for a day is no longer sent by itself (RULES EX2); 再送 counts as saving it again. */
function isExpired({ clock }: SenderParts, { item }: Job): boolean {
  const savedAt = Date.parse(item.ledger?.savedAt ?? item.change.savedAt)
  return clock.now() - savedAt > EXPIRY_HOURS * 3_600_000
}
