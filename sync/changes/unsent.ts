/**
 * What is written of what has not been sent, a change or a photo: why, whose fault that was, and whether it comes back
 * (RULES OC2–OC9).
 */
import { isInDoubt, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Parking, Sending, Sent } from './send-adapter.ts'
import type { Step } from './send-queue.ts'
import type { StateFacts } from './send-states.ts'
import type { LedgerEvent } from '#schemas/send-state.ts'
import { afterOther, afterUntold, hasReason, isUnclear } from './failure-attribution.ts'
import { isLost } from './late-arrival-check.ts'

/** So often one's own fault was answered with a 5xx: 失敗 (RULES OR3). */
export const MAX_SERVER_ERRORS = 5

/** A call came to this end. One that never left, as the circuit lets none go now (OC10), was no try. */
export function ended({ looks, faults }: Sending, items: readonly QueueItem[], sent: Sent<unknown>): void {
  if (sent.kind === 'unreachable') return
  const ids = items.map(({ change }) => change.id)
  for (const id of ids) {
    looks.begun(id)
    if (!isLost(sent)) looks.answered(id)
  }
  const saysNothing = ['unknown', 'stale', 'throttled', 'unauthorized'].includes(sent.kind)
  // a no for a reason is of use, also while what became of an earlier call is not known (RULES OR1)
  const isNo = (sent.kind === 'refused' || sent.kind === 'missing') && hasReason(sent)
  if (isNo || (saysNothing && !isUnclear(sent))) faults.fold((state) => afterOther(state, ids))
}

/** What became of an earlier call could not be found out. A no for a reason is its own affair. */
export async function readBackFailed(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  inDoubt: boolean,
): Promise<Step> {
  const isNo = outcome.kind === 'missing' || outcome.kind === 'refused'
  const told: Outcome = isNo ? { kind: 'unknown', status: outcome.status } : outcome
  const serverErrors = counted(work, items, told, isNo && hasReason(outcome))
  const isTriedOut = isUnclear(told) && serverErrors >= MAX_SERVER_ERRORS
  // who wants it taken back waits for the answer
  if (isTriedOut && items.every(({ ledger }) => ledger?.wish !== 'discard')) {
    const facts = { reasons: ['systemError'], status: statusOf(told), settledAt: isoNow(work), serverErrors }
    await tell(work, items, 'refused', facts)
    return { kind: 'done' }
  }
  return notGone(work, items, told, { inDoubt, serverErrors })
}

interface Stop {
  /** A call of it may have arrived. */
  inDoubt: boolean
  /** It has to do with nothing else. */
  isOwn?: boolean
  reasons?: string[]
}

/** Something stands in the way: what is known is written, the caller waits and comes back. */
export function stop(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  { inDoubt, isOwn = false, reasons = [] }: Stop,
): Promise<Step> {
  const serverErrors = counted(work, items, outcome, isOwn)
  return notGone(work, items, outcome, { inDoubt, reasons, serverErrors })
}

/** How often it was answered for nothing by its own fault, this answer with it (RULES OC8). */
function counted({ faults }: Sending, items: QueueItem[], outcome: Outcome, isOwn: boolean): number {
  const counts = isUnclear(outcome) && (faults.unclear(items.map(({ change }) => change.id)) || isOwn)
  return countedBefore(items) + (counts ? 1 : 0)
}

const countedBefore = (items: readonly QueueItem[]) =>
  Math.max(0, ...items.map(({ ledger }) => ledger?.serverErrors ?? 0))

/** Writes it. An own fault that a full device does not take is not forgotten (RULES OC8). */
async function tell(
  { states, faults }: Sending,
  items: readonly QueueItem[],
  event: LedgerEvent,
  facts: StateFacts & { serverErrors: number },
): Promise<void> {
  try {
    await states.put(items, event, facts)
  } catch (error) {
    const ids = items.map(({ change }) => change.id)
    if (facts.serverErrors > countedBefore(items)) faults.fold((state) => afterUntold(state, ids))
    throw error
  }
}

async function notGone(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  { inDoubt, serverErrors, reasons = [] }: { inDoubt: boolean; serverErrors: number; reasons?: string[] },
): Promise<Step> {
  const said = outcome.kind === 'unauthorized' ? (outcome.reasons ?? reasons) : reasons
  await tell(work, items, inDoubt ? 'lost' : 'held', {
    status: statusOf(outcome),
    serverErrors,
    reasons: said,
  })
  return { kind: 'blocked', outcome, unclear: isUnclear(outcome) }
}

export async function park(
  work: Sending,
  item: QueueItem,
  { as, reasons, status = 0 }: Parking,
): Promise<Step> {
  await work.states.put([item], as, { reasons, status, settledAt: isoNow(work) })
  return { kind: 'done' }
}

/** In doubt, or given up because nobody would say what became of it. */
export const mayBeDone = (ledger: SendFacts): boolean =>
  isInDoubt({ ledger }) || (ledger.state === 'refused' && ledger.serverErrors >= MAX_SERVER_ERRORS)

const statusOf = (outcome: Outcome) => ('status' in outcome ? outcome.status : 0)

export const isoNow = ({ now }: Pick<Sending, 'now'>) => new Date(now()).toISOString()
