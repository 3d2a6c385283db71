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
  isSendable,
  queueOf,
  type PendingRecord,
  type QueueItem,
} from '#schemas/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import type { Outcome } from './outcome.ts'
import type { QueueStore } from './queue-store.ts'
import { resourceOf, settled } from './resources.ts'
import type { Api } from './transport/api.ts'
import type { Locks } from './transport/locks.ts'

/** A CRM that answers 5xx this often to one change has had its say: 失敗, and the next one goes (RULES OR3). */
const MAX_SERVER_ERRORS = 5

export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome }

export interface Sender {
  /** Sends until the queue holds nothing that can go, or something stands in the way. */
  drain(): Promise<Step>
}

export interface SenderParts {
  store: QueueStore
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  userId: string
  /** `loginUserId` of the calls (crm-contract 2). */
  loginUserId: string
}

/** One change about to be sent, with its record as it is on disk now. */
interface Job {
  record: PendingRecord
  change: AnyChange
  item: QueueItem
}

const DONE: Step = { kind: 'done' }

export const sendLock = (store: QueueStore) => `genba-send-${store.name}`

export function createSender(parts: SenderParts): Sender {
  const locked = <T>(run: () => Promise<T>) => parts.locks.request(sendLock(parts.store), run)
  return {
    async drain() {
      const following: Promise<void>[] = []
      const work = { ...parts, following }
      await locked(() => settleAccepted(work))
      const tried = new Set<string>()
      try {
        for (;;) {
          await Promise.all(following.splice(0))
          const queue = (await readQueue(work)).filter(
            (item) => isSendable(item) && !tried.has(item.change.id),
          )
          if (queue.length === 0) return DONE
          for (const item of queue) {
            tried.add(item.change.id)
            const step = await locked(() => sendChange(work, item))
            if (step.kind === 'blocked') return step
          }
        }
      } finally {
        await Promise.allSettled(following)
      }
    },
  }
}

interface Work extends SenderParts {
  /** Documents that follow the ledger while the next call is under way. */
  following: Promise<void>[]
}

const readQueue = async ({ store }: SenderParts): Promise<QueueItem[]> =>
  queueOf(await store.pending(), await store.ledger.read())

/** A crash between the ledger's `accepted` and the document: the document follows now (RULES OC1). */
async function settleAccepted(work: SenderParts): Promise<void> {
  const ledger = await work.store.ledger.read()
  for (const record of await work.store.pending())
    for (const change of record.changes) {
      const entry = ledger.get(change.id)
      if (entry?.state === 'accepted') await settle(work, record, change, entry.serverId)
    }
}

async function sendChange(work: Work, queued: QueueItem): Promise<Step> {
  const job = await loadJob(work, queued)
  if (!job || !isSendable(job.item)) return DONE
  if (job.change.userId !== work.userId) return park(work, job, 'refused', ['otherUser'], 0)
  if (isExpired(work, job)) return park(work, job, 'expired', [], 0)
  if (isInDoubt(job.item) && CREATING_KINDS.includes(job.change.kind)) {
    const { resource, key } = job.record
    const takenIds = () => work.store.takenIds(resource, key)
    const back = await resourceOf(resource).readBack(job, { ...work, takenIds })
    if (back.kind === 'failed')
      return isTriedOut(job) && isCrmsFault(back.outcome)
        ? park(work, job, 'refused', ['systemError'], job.item.ledger?.status ?? 0)
        : stop(work, [job.item], back.outcome)
    if (back.kind === 'ours') return accept(work, [job], back.serverId)
  }
  if (isTriedOut(job)) return park(work, job, 'refused', ['systemError'], job.item.ledger?.status ?? 0)
  return call(work, job)
}

async function call(work: Work, job: Job): Promise<Step> {
  const resource = resourceOf(job.record.resource)
  const group = [job, ...(await groupOf(work, job))]
  const records = group.map(({ record }) => record)
  const plan = resource.plan(job, records, work.loginUserId)
  if (!plan) return park(work, job, 'refused', ['ec00013'], 0)
  const jobs = group.filter(({ record }) => plan.recordKeys.includes(record.key))
  const items = jobs.map(({ item }) => item)
  await work.store.ledger.put(items, { state: 'sending', payload: JSON.stringify(plan.call.body) })
  const outcome = await work.api.write(plan.call)
  switch (outcome.kind) {
    case 'accepted': {
      const serverId = plan.call.idempotencyKey ? resource.createdId(outcome.body) : job.record.serverId
      if (serverId !== null) return accept(work, jobs, serverId)
      return stop(work, items, { kind: 'unknown', status: outcome.status })
    }
    case 'refused':
    case 'missing':
      await work.store.ledger.put(items, {
        state: 'refused',
        reasons: outcome.reasons,
        status: outcome.status,
        settledAt: isoNow(work),
      })
      return DONE
    case 'unknown':
    case 'unreachable':
    case 'throttled':
    case 'unauthorized':
      return stop(work, items, outcome)
  }
}

/** Something stands in the way: the ledger keeps what is known, the caller waits and comes back. */
async function stop(work: SenderParts, items: QueueItem[], outcome: Outcome): Promise<Step> {
  const inDoubt = outcome.kind === 'unknown' || items.some(isInDoubt)
  const status = 'status' in outcome ? outcome.status : 0
  const serverErrors = Math.max(0, ...items.map(({ ledger }) => ledger?.serverErrors ?? 0))
  const counted = isCrmsFault(outcome) ? serverErrors + 1 : serverErrors
  await work.store.ledger.put(items, {
    state: inDoubt ? 'unknown' : 'waiting',
    status,
    serverErrors: counted,
  })
  return { kind: 'blocked', outcome }
}

async function accept(work: Work, jobs: Job[], serverId: string): Promise<Step> {
  const items = jobs.map(({ item }) => item)
  await work.store.ledger.put(items, { state: 'accepted', reasons: [], settledAt: isoNow(work), serverId })
  for (const { record, change } of jobs) {
    const write = settle(work, record, change, serverId)
    // it is awaited before the queue is read again; failing till then is no unhandled rejection
    write.catch(() => undefined)
    work.following.push(write)
  }
  return DONE
}

async function park(
  work: SenderParts,
  { item }: Job,
  state: 'refused' | 'expired',
  reasons: string[],
  status: number,
): Promise<Step> {
  await work.store.ledger.put([item], { state, reasons, status, settledAt: isoNow(work) })
  return DONE
}

async function settle(
  work: SenderParts,
  { resource, key }: PendingRecord,
  change: AnyChange,
  serverId: string,
) {
  const stamp = work.clock.stamp()
  await work.store.modify(resource, key, (record) =>
    record.changes.some(({ id }) => id === change.id)
      ? settled(record, change, record.serverId || serverId, stamp, resourceOf(resource))
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
    for (const done of accepted) await settle(work, record, done, ledger.get(done.id)?.serverId ?? '')
    return loadJob(work, queued)
  }
  const item = queueOf([record], ledger).find(({ change: { id } }) => id === change.id)
  return item ? { record, change, item } : null
}

/** The other records of the same save that can go with it in one call. */
async function groupOf(work: Work, { record, change }: Job): Promise<Job[]> {
  if (!change.group) return []
  const members = (await readQueue(work)).filter(
    (item) => item.change.group === change.group && item.record.key !== record.key && isSendable(item),
  )
  const jobs = await Promise.all(members.map((item) => loadJob(work, item)))
  return jobs
    .filter((job) => job !== null)
    .filter((job) => job.record.serverId !== '' && job.change.kind === change.kind)
}

/** It left the device, and no answer said what became of it; `sending` found here is what a crash left (RULES OC3). */
const isInDoubt = ({ ledger }: QueueItem) => ledger?.state === 'sending' || ledger?.state === 'unknown'

/** The CRM was reached and had no answer of use: a 5xx, or a read-back that it refuses. */
const isCrmsFault = (outcome: Outcome) =>
  outcome.kind === 'refused' || (outcome.kind === 'unknown' && outcome.status >= 500)

const isTriedOut = ({ item }: Job) => (item.ledger?.serverErrors ?? 0) >= MAX_SERVER_ERRORS

/** A change unsent for a day is no longer sent by itself (RULES EX2); 再送 counts as saving it again. */
function isExpired({ clock }: SenderParts, { item }: Job): boolean {
  const savedAt = Date.parse(item.ledger?.savedAt ?? item.change.savedAt)
  return clock.now() - savedAt > EXPIRY_HOURS * 3_600_000
}

const isoNow = ({ clock }: SenderParts) => new Date(clock.now()).toISOString()
