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
import { CREATING_KINDS, isSendable, queueOf, type QueueItem } from '#schemas/change-queue.ts'
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/quick-report.ts'
import type { SyncDatabase } from './database.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { Outcome } from './outcome.ts'
import { quickReports as resource } from './resources.ts'
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
  db: SyncDatabase
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  userId: string
  /** `loginUserId` of the calls (crm-contract 2). */
  loginUserId: string
}

interface Work extends SenderParts {
  ledger: Ledger
}

/** One change about to be sent, with its record as it is on disk now. */
interface Job {
  record: QuickReportRecord
  change: QuickReportChange
  item: QueueItem
}

const DONE: Step = { kind: 'done' }

export const sendLock = (db: SyncDatabase) => `genba-send-${db.name}`

export function createSender(parts: SenderParts): Sender {
  const work = { ...parts, ledger: createLedger(parts.db) }
  const locked = <T>(run: () => Promise<T>) => parts.locks.request(sendLock(parts.db), run)
  return {
    async drain() {
      await locked(() => settleAccepted(work))
      const tried = new Set<string>()
      for (;;) {
        const queue = (await readQueue(work)).filter((item) => isSendable(item) && !tried.has(item.change.id))
        if (queue.length === 0) return DONE
        for (const { record, change } of queue) {
          tried.add(change.id)
          const step = await locked(() => sendChange(work, record.key, change.id))
          if (step.kind === 'blocked') return step
        }
      }
    },
  }
}

const pendingDocs = ({ db }: Work) => db.quickReports.find({ selector: { unsent: 'yes' } }).exec()
const pendingOf = (record: QuickReportRecord) => ({ resource: resource.collection, ...record })

async function readQueue(work: Work): Promise<QueueItem[]> {
  const records = (await pendingDocs(work)).map((doc) => pendingOf(doc.toMutableJSON()))
  return queueOf(records, await work.ledger.read())
}

/** A crash between the ledger's `accepted` and the document: the document follows now (RULES OC1). */
async function settleAccepted(work: Work): Promise<void> {
  const ledger = await work.ledger.read()
  for (const doc of await pendingDocs(work))
    for (const change of doc.toMutableJSON().changes) {
      const entry = ledger.get(change.id)
      if (entry?.state === 'accepted') await settle(work, doc.key, change, entry.serverId)
    }
}

async function sendChange(work: Work, recordKey: string, changeId: string): Promise<Step> {
  const job = await loadJob(work, recordKey, changeId)
  if (!job || !isSendable(job.item)) return DONE
  if (job.change.userId !== work.userId) return park(work, job, 'refused', ['otherUser'], 0)
  if (isExpired(work, job)) return park(work, job, 'expired', [], 0)
  if (isInDoubt(job.item) && CREATING_KINDS.includes(job.change.kind)) {
    const back = await resource.readBack(job.record, job.change, work)
    if (back.kind === 'failed') return stop(work, [job.item], back.outcome)
    if (back.kind === 'ours') return accept(work, [job], back.serverId)
  }
  if ((job.item.ledger?.serverErrors ?? 0) >= MAX_SERVER_ERRORS)
    return park(work, job, 'refused', ['systemError'], job.item.ledger?.status ?? 0)
  return call(work, job)
}

async function call(work: Work, job: Job): Promise<Step> {
  const group = [job, ...(await groupOf(work, job))]
  const plan = resource.plan(
    job.change,
    group.map(({ record }) => record),
    work.loginUserId,
  )
  if (!plan) return park(work, job, 'refused', ['ec00013'], 0)
  const jobs = group.filter(({ record }) => plan.recordKeys.includes(record.key))
  const items = jobs.map(({ item }) => item)
  await work.ledger.put(items, { state: 'sending', payload: JSON.stringify(plan.call.body) })
  const outcome = await work.api.write(plan.call)
  switch (outcome.kind) {
    case 'accepted': {
      const serverId = plan.call.idempotencyKey ? resource.createdId(outcome.body) : job.record.serverId
      if (serverId !== null) return accept(work, jobs, serverId)
      return stop(work, items, { kind: 'unknown', status: outcome.status })
    }
    case 'refused':
    case 'missing':
      await work.ledger.put(items, {
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
async function stop(work: Work, items: QueueItem[], outcome: Outcome): Promise<Step> {
  const inDoubt = outcome.kind === 'unknown' || items.some(isInDoubt)
  const status = 'status' in outcome ? outcome.status : 0
  const serverErrors = Math.max(0, ...items.map(({ ledger }) => ledger?.serverErrors ?? 0))
  const counted = outcome.kind === 'unknown' && status >= 500 ? serverErrors + 1 : serverErrors
  await work.ledger.put(items, { state: inDoubt ? 'unknown' : 'waiting', status, serverErrors: counted })
  return { kind: 'blocked', outcome }
}

async function accept(work: Work, jobs: Job[], serverId: string): Promise<Step> {
  const items = jobs.map(({ item }) => item)
  await work.ledger.put(items, { state: 'accepted', reasons: [], settledAt: isoNow(work), serverId })
  for (const { record, change } of jobs) await settle(work, record.key, change, serverId)
  return DONE
}

async function park(
  work: Work,
  { item }: Job,
  state: 'refused' | 'expired',
  reasons: string[],
  status: number,
): Promise<Step> {
  await work.ledger.put([item], { state, reasons, status, settledAt: isoNow(work) })
  return DONE
}

async function settle(work: Work, key: string, change: QuickReportChange, serverId: string): Promise<void> {
  const doc = await work.db.quickReports.findOne(key).exec()
  const stamp = work.clock.stamp()
  await doc?.incrementalModify((record) =>
    record.changes.some(({ id }) => id === change.id)
      ? resource.settle(record, change, record.serverId || serverId, stamp)
      : record,
  )
}

async function loadJob(work: Work, key: string, changeId: string): Promise<Job | null> {
  const doc = await work.db.quickReports.findOne(key).exec()
  if (!doc) return null
  const record = doc.toMutableJSON()
  const change = record.changes.find(({ id }) => id === changeId)
  const ledger = await work.ledger.read(record.changes.map(({ id }) => id))
  const item = queueOf([pendingOf(record)], ledger).find(({ change: { id } }) => id === changeId)
  return change && item ? { record, change, item } : null
}

/** The other records of the same save that can go with it in one call. */
async function groupOf(work: Work, { record, change }: Job): Promise<Job[]> {
  if (!change.group) return []
  const queue = await readQueue(work)
  const members = queue.filter(
    (item) => item.change.group === change.group && item.record.key !== record.key && isSendable(item),
  )
  const jobs = await Promise.all(members.map((item) => loadJob(work, item.record.key, item.change.id)))
  return jobs.filter(
    (job) => job !== null && job.record.serverId !== '' && job.change.kind === change.kind,
  ) as Job[]
}

/** It left the device, and no answer said what became of it; `sending` found here is what a crash left (RULES OC3). */
const isInDoubt = ({ ledger }: QueueItem) => ledger?.state === 'sending' || ledger?.state === 'unknown'

/** A change unsent for a day is no longer sent by itself (RULES EX2); 再送 counts as saving it again. */
function isExpired({ clock }: Work, { item }: Job): boolean {
  const savedAt = Date.parse(item.ledger?.savedAt ?? item.change.savedAt)
  return clock.now() - savedAt > EXPIRY_HOURS * 3_600_000
}

const isoNow = ({ clock }: Work) => new Date(clock.now()).toISOString()
