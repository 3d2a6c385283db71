/**
 * What the ledger is told of a change that has not gone: why, whose fault that was, and when it is looked for again (RULES
 * OC7–OC9).
 */
import { CREATING_KINDS, isInDoubt, PAUSED, type QueueItem } from '#schemas/change-queue.ts'
import type { Step } from './drain.ts'
import type { Job, SenderParts, Work } from './job.ts'
import { readBeforeSend, type Look } from './read-before-send.ts'
import type { Outcome } from '../transport/outcome.ts'
import { afterOther, afterRefusal, hasReason, isPaused, isUnclear } from './own-fault.ts'
import { resourceOf } from '../resources/resource-table.ts'
import { isLost } from './second-look.ts'

/** What may have reached the CRM, and what it would make twice, is looked for twice before it leaves again (RULES OC9). */
export async function lookTwice(work: Work, job: Job): Promise<Look | 'later'> {
  const { record, change, item } = job
  const isTwice =
    isInDoubt(item) &&
    CREATING_KINDS.includes(change.kind) &&
    item.ledger?.payload !== '' &&
    !resourceOf(record.resource).refusesSecond
  if (!isTwice) return readBeforeSend(work, job)
  const wait = work.looks.wait(change.id)
  const look: Look = wait > 0 ? { kind: 'absent' } : await readBeforeSend(work, job)
  const left = look.kind === 'absent' ? wait || work.looks.absent(change.id) : 0
  if (left === 0) return look
  // its second look is due by then; the others go on
  work.wake(record, left)
  return 'later'
}

/** A call came to this end. One that never left, as the circuit lets none go now (OC10), was no try. */
export function ended({ looks, faults }: Work, items: readonly QueueItem[], outcome: Outcome): void {
  if (outcome.kind === 'unreachable') return
  const ids = items.map(({ change }) => change.id)
  for (const id of ids) {
    looks.begun(id)
    if (!isLost(outcome)) looks.answered(id)
  }
  const saysNothing = ['unknown', 'stale', 'throttled', 'unauthorized'].includes(outcome.kind)
  if (saysNothing && !isUnclear(outcome)) faults.fold((state) => afterOther(state, ids))
}

/** Too many in a row were refused without a reason: those before wait again, like this one (RULES OC7). */
export async function isNobodysFault({ faults, store }: Work, items: QueueItem[]): Promise<boolean> {
  const wasPaused = isPaused(faults.now)
  const ids = items.map(({ change }) => change.id)
  faults.fold((state) => afterRefusal(state, ids))
  if (!isPaused(faults.now)) return false
  const others = faults.now.refused.flat().filter((id) => !ids.includes(id))
  if (wasPaused) return true
  for (const id of others) await store.ledger.reopen(id, PAUSED)
  faults.unclear(others)
  return true
}

/** What became of an earlier call could not be found out. A no for a reason is the change's own affair. */
export function notLooked(work: Work, items: QueueItem[], outcome: Outcome, inDoubt: boolean): Promise<Step> {
  const isNo = outcome.kind === 'missing' || outcome.kind === 'refused'
  const isOwn = isNo && hasReason(outcome)
  return stop(work, items, isNo ? { kind: 'unknown', status: outcome.status } : outcome, { inDoubt, isOwn })
}

interface Stop {
  /** A call of it may have arrived. */
  inDoubt: boolean
  /** It has to do with nothing else. */
  isOwn?: boolean
  reasons?: string[]
}

/** Something stands in the way: the ledger keeps what is known, the caller waits and comes back. */
export async function stop(
  work: Work,
  items: QueueItem[],
  outcome: Outcome,
  { inDoubt, isOwn = false, reasons = [] }: Stop,
): Promise<Step> {
  const status = 'status' in outcome ? outcome.status : 0
  const unclear = isUnclear(outcome)
  const counts = unclear && (work.faults.unclear(items.map(({ change }) => change.id)) || isOwn)
  const serverErrors = Math.max(0, ...items.map(({ ledger }) => ledger?.serverErrors ?? 0)) + (counts ? 1 : 0)
  await work.store.ledger.put(items, inDoubt ? 'lost' : 'held', { status, serverErrors, reasons })
  return { kind: 'blocked', outcome, unclear }
}

export async function park(
  work: SenderParts,
  { item }: Job,
  state: 'refused' | 'expired',
  reasons: string[],
  status: number,
): Promise<Step> {
  await work.store.ledger.put([item], state, { reasons, status, settledAt: isoNow(work) })
  return { kind: 'done' }
}

/** The CRM was reached and had no answer of use: a 5xx, a page, or a read-back that it refuses. */
export const isOfNoUse = (outcome: Outcome) =>
  outcome.kind === 'refused' || outcome.kind === 'missing' || isUnclear(outcome)

export const isoNow = ({ clock }: SenderParts) => new Date(clock.now()).toISOString()
