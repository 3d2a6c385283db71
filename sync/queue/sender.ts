/**
 * Sends the queue: every unacknowledged change of every collection, in the order of saving, one at a time (RULES OR1).
 * The push handlers of all collections run it; a lock lets one through, over all tabs. How one change goes is `attempt.ts`;
 * here is what is of records alone: their order, their groups, and the state that a PUT is made for.
 */
import {
  CREATING_KINDS,
  isActionable,
  isCreating,
  isInDoubt,
  isSendable,
  PAUSED,
  queueOf,
  type PendingRecord,
  type QueueItem,
} from '#schemas/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import { saidWithSuccess } from '#schemas/api-error.ts'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import { attempt } from './attempt.ts'
import { drained, type Step } from './drain.ts'
import type { Job, SenderParts, Work } from './job.ts'
import { readBeforeSend } from './read-before-send.ts'
import { afterRefusal, createFaults, isPaused } from './own-fault.ts'
import type { QueueStore } from './queue-store.ts'
import { resourceOf, settled } from '../resources/resource-table.ts'
import type { Created } from '../resources/push-resource.ts'
import { createLooks } from './second-look.ts'
import type { Plan, SendAdapter } from './send-adapter.ts'
import { PRECONDITION_FAILED } from '../transport/strong-tag.ts'

export type { Step } from './drain.ts'

export interface Sender {
  /** Sends until the queue holds nothing that can go, or something stands in the way. */
  drain(): Promise<Step>
}

/** So often a PUT is merged anew within one run where somebody else is quicker each time (RULES MG4). */
const MERGE_TRIES = 3

const OK = 200

const DONE: Step = { kind: 'done' }

export const sendLock = (store: QueueStore) => `genba-send-${store.name}`

export function createSender(parts: SenderParts): Sender {
  const faults = createFaults()
  const looks = createLooks(parts.elapsed, parts.limitMs)
  const alone = new Set<string>()
  return {
    async drain() {
      const following: Promise<void>[] = []
      const { now } = parts.clock
      const work = {
        ...parts,
        now,
        faults,
        looks,
        alone,
        following,
        settling: parts.store,
        ledger: parts.store.ledger,
      }
      const locked = <T>(run: (held: Work) => Promise<T>) =>
        parts.locks.request(sendLock(parts.store), (hold) => {
          const store = parts.store.within(hold)
          return run({ ...work, hold, store, ledger: store.ledger })
        })
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

/** A page that is frozen in the middle of a read has some of it from before, and may not know what came first (RULES OR1). */
const READ_ANEW_MS = 10_000

async function readQueue({ store, elapsed }: SenderParts): Promise<QueueItem[]> {
  const begun = elapsed()
  const read = async () => queueOf(await store.pending(), await store.ledger.read())
  const queue = await read()
  return elapsed() - begun < READ_ANEW_MS ? queue : read()
}

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
  const adapter = changeAdapter(work, queued)
  const attempted = async (): Promise<Step> => {
    const went = await attempt(work, adapter)
    return went.kind === 'more' ? attempted() : went
  }
  let step = await attempted()
  const isStale = () => step.kind === 'blocked' && step.outcome.kind === 'stale'
  for (let tries = 1; isStale() && tries < MERGE_TRIES; tries += 1) step = await attempted()
  return step
}

/** How a change of a record is sent. What is loaded is that of the queue's item as it is by then. */
function changeAdapter(work: Work, queued: QueueItem): SendAdapter<Job, Created> {
  /** ETags that a 412 was answered to. */
  const stale = new Set<string>()
  return {
    async load() {
      const job = await loadJob(work, queued)
      return job ? { kind: 'due', job } : DONE
    },
    isInDoubt: ({ item }) => isInDoubt(item),
    isMadeTwice: ({ item, change, record }) =>
      isInDoubt(item) &&
      CREATING_KINDS.includes(change.kind) &&
      item.ledger?.payload !== '' &&
      !resourceOf(record.resource).refusesSecond,
    look: (job) => readBeforeSend(work, job),
    wake: ({ record }, ms) => work.wake(record, ms),
    plan: (job, { etag }) => planned(work, job, usable(queued, etag, stale)),
    lookAfterRefusal: async (job) => (mayBeThere(job) ? readBeforeSend(work, job, true) : { kind: 'absent' }),
    apart(jobs) {
      for (const { change } of jobs) work.alone.add(change.id)
    },
    isNobodysFault: (items) => isNobodysFault(work, items),
    async settle({ record, change }, created) {
      const write = settle(work, record, change, created)
      // it is awaited before the queue is read again; failing till then is no unhandled rejection
      write.catch(() => undefined)
      work.following.push(write)
      return DONE
    },
  }
}

/** Though it was refused: an earlier call of it has left, or the browser has sent this one twice by itself (RULES OC3). */
const mayBeThere = ({ item, change, record }: Job): boolean =>
  (item.ledger?.payload ?? '') !== '' || (isCreating(change) && resourceOf(record.resource).isKnownAgain)

/** A CRM that cannot be asked this way loses nothing: where a tag is stale and still the latest, or all were, it goes without. */
const usable = ({ ledger }: QueueItem, etag: string | undefined, stale: Set<string>): IfMatch =>
  etag === undefined || stale.has(etag) || ledger?.status === PRECONDITION_FAILED ? null : { etag, stale }

/** The state that a PUT is made for, and where it is kept should that be another one by then. */
type IfMatch = { etag: string; stale: Set<string> } | null

async function planned(work: Work, looked: Job, ifMatch: IfMatch): Promise<Plan<Job, Created>> {
  // as it is on disk: what was read may have been laid under it
  const job = await loadJob(work, looked.item)
  // another tab may have come to its end while it was looked for
  if (!job || !isSendable(job.item)) return { kind: 'done' }
  if (isNewlyInDoubt(looked, job)) return { kind: 'more' }
  const resource = resourceOf(job.record.resource)
  const group = [job, ...(await groupOf(work, job))]
  const records = group.map(({ record }) => record)
  const plan = resource.plan(job, records, work.loginUserId)
  if (!plan) return { kind: 'park', as: 'refused', reasons: ['ec00013'] }
  const condition = plan.isOfOne && ifMatch ? { ifMatch: ifMatch.etag } : {}
  return {
    kind: 'call',
    jobs: group.filter(({ record }) => plan.recordKeys.includes(record.key)),
    payload: JSON.stringify(plan.call.body),
    async send(hold) {
      const outcome = await work.api.write({ ...plan.call, ...condition }, hold)
      if (outcome.kind === 'stale') ifMatch?.stale.add(ifMatch.etag)
      if (outcome.kind !== 'accepted') return outcome
      const { serverId } = job.record
      const made = plan.call.idempotencyKey ? resource.created(outcome.body) : { id: serverId }
      if (!made || (plan.call.idempotencyKey && (await isAnothers(work, job, made))))
        return { kind: 'unknown', status: outcome.status }
      const said = outcome.status === OK ? saidWithSuccess(outcome.body) : []
      return { kind: 'made', made, said }
    },
  }
}

/** True if the create was answered with the id of another record of the device: its own is read back (RULES OC3). */
async function isAnothers({ store }: Work, { record, change }: Job, { id }: Created): Promise<boolean> {
  const taken = await store.takenIds(record.resource, { key: record.key, stamp: change.stamp, id })
  return taken.has(id)
}

/** Another tab's call of it was heard of only after it had been looked for: it was not held against that (RULES OC3). */
const isNewlyInDoubt = (looked: Job, now: Job): boolean => isInDoubt(now.item) && !isInDoubt(looked.item)

/** Too many in a row were refused without a reason: those before wait again, like this one (RULES OC7). */
async function isNobodysFault({ faults, ledger }: Work, items: QueueItem[]): Promise<boolean> {
  const ids = items.map(({ change }) => change.id)
  const next = afterRefusal(faults.now, ids)
  if (isPaused(next) && !isPaused(faults.now)) {
    const others = faults.now.refused.flat().filter((id) => !ids.includes(id))
    // where the device does not take that, the next refusal is the third one again
    for (const id of others) await ledger.reopen(id, PAUSED)
    faults.unclear(others)
  }
  faults.fold((state) => afterRefusal(state, ids))
  return isPaused(faults.now)
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
  const ledger = await store.ledger.readThrough(record.changes.map(({ id }) => id))
  const accepted = record.changes.filter(({ id }) => ledger.get(id)?.state === 'accepted')
  if (accepted.length > 0) {
    // what it depends on has been accepted, and its document is still on the way
    for (const done of accepted) await settle(work, record, done, { id: ledger.get(done.id)?.serverId ?? '' })
    return loadJob(work, queued)
  }
  const open = queueOf([record], ledger)
  const item = open.find(({ change: { id } }) => id === change.id)
  // what it hangs on is another tab's, and how that ended has not been heard here yet (RULES OR2)
  const [first] = open
  const isEarly =
    first !== undefined &&
    first !== item &&
    CREATING_KINDS.includes(first.change.kind) &&
    !isFree(first, item)
  return item && !isEarly ? { record, change, item } : null
}

/** What was to create the record goes no more by itself, and this one does not need it (RULES OR3). */
const isFree = (creating: QueueItem, item: QueueItem | undefined): boolean =>
  !isActionable(creating) && item?.heldBy === undefined

/** The other records of the same save that can go with it in one call. */
async function groupOf(work: Work, { record, change }: Job): Promise<Job[]> {
  if (!change.group || work.alone.has(change.id)) return []
  const isMember = (item: QueueItem) =>
    item.change.group === change.group && item.record.key !== record.key && !work.alone.has(item.change.id)
  const members = (await readQueue(work)).filter((item) => isMember(item) && isSendable(item))
  const jobs = await Promise.all(members.map((item) => loadJob(work, item)))
  const alike = jobs
    .filter((job) => job !== null)
    .filter((job) => job.record.serverId !== '' && job.change.kind === change.kind)
  // one that cannot be read now, or is there already, has its own turn
  const looked = alike.map(async (job) => {
    if ((await readBeforeSend(work, job)).kind !== 'absent') return null
    const now = await loadJob(work, job.item)
    return now && !isNewlyInDoubt(job, now) ? now : null
  })
  return (await Promise.all(looked)).filter((job) => job !== null)
}
