/**
 * Writes the state of a change or photo that was not sent: the reason, whether it is its own fault, and whether it is
 * tried again (RULES OC2–OC9).
 */
import { isInDoubt, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Parking, Sending, Sent } from './send-adapter.ts'
import type { Step } from './send-queue.ts'
import type { StateFacts } from './send-states.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import { isLost, afterOther, afterUnstored, hasReason, isUnclear } from './failure-attribution.ts'

/** Maximum number of 5xx answers that are the item's own fault. After that many the item is 失敗 (RULES OR3). */
export const MAX_SERVER_ERRORS = 5

/** Records the end of a call. A call that the circuit breaker did not let leave (OC10) is not an attempt. */
export function recordEnd(
  { readBacks, faults }: Sending,
  items: readonly QueueItem[],
  sent: Sent<unknown>,
): void {
  if (sent.kind === 'unreachable') return
  const ids = items.map(({ change }) => change.id)
  for (const id of ids) {
    readBacks.begun(id)
    if (!isLost(sent)) readBacks.answered(id)
  }
  const saysNothing = ['unknown', 'stale', 'throttled', 'unauthorized'].includes(sent.kind)
  // a refusal with a reason is a definite answer, even if an earlier call is still ambiguous (RULES OR1)
  const isRefusal = (sent.kind === 'refused' || sent.kind === 'missing') && hasReason(sent)
  if (isRefusal || (saysNothing && !isUnclear(sent))) faults.fold((state) => afterOther(state, ids))
}

/**
 * A read-back failed, so an earlier call remains ambiguous. A refusal with a reason counts as the item's own fault.
 */
export async function readBackFailed(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  inDoubt: boolean,
): Promise<Step> {
  const isRefusal = outcome.kind === 'missing' || outcome.kind === 'refused'
  const effective: Outcome = isRefusal ? { kind: 'unknown', status: outcome.status } : outcome
  const serverErrors = ownServerErrors(work, items, effective, isRefusal && hasReason(outcome))
  const isTriedOut = isUnclear(effective) && serverErrors >= MAX_SERVER_ERRORS
  // an item that the user wants to discard waits until the read-back succeeds
  if (isTriedOut && items.every(({ progress }) => progress?.wish !== 'discard')) {
    const facts = {
      reasons: ['systemError'],
      status: statusOf(effective),
      settledAt: isoNow(work),
      serverErrors,
    }
    await writeState(work, items, 'refused', facts)
    return { kind: 'done' }
  }
  return writeBlocked(work, items, effective, { inDoubt, serverErrors })
}

interface BlockOptions {
  /** True if a call may have arrived. */
  inDoubt: boolean
  /** True if the fault is the item's own, whatever the answers to others were. */
  isOwn?: boolean
  reasons?: string[]
}

/** Writes the state of items that are blocked. They are tried again later. */
export function block(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  { inDoubt, isOwn = false, reasons = [] }: BlockOptions,
): Promise<Step> {
  const serverErrors = ownServerErrors(work, items, outcome, isOwn)
  return writeBlocked(work, items, outcome, { inDoubt, reasons, serverErrors })
}

/** Number of unclear answers that were the item's own fault, including this one (RULES OC8). */
function ownServerErrors({ faults }: Sending, items: QueueItem[], outcome: Outcome, isOwn: boolean): number {
  const counts = isUnclear(outcome) && (faults.unclear(items.map(({ change }) => change.id)) || isOwn)
  return previousServerErrors(items) + (counts ? 1 : 0)
}

const previousServerErrors = (items: readonly QueueItem[]) =>
  Math.max(0, ...items.map(({ progress }) => progress?.serverErrors ?? 0))

/** Writes an event. An own fault that a full device cannot store is remembered in memory (RULES OC8). */
async function writeState(
  { states, faults }: Sending,
  items: readonly QueueItem[],
  event: StateEvent,
  facts: StateFacts & { serverErrors: number },
): Promise<void> {
  try {
    await states.put(items, event, facts)
  } catch (error) {
    const ids = items.map(({ change }) => change.id)
    if (facts.serverErrors > previousServerErrors(items)) faults.fold((state) => afterUnstored(state, ids))
    throw error
  }
}

async function writeBlocked(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  { inDoubt, serverErrors, reasons = [] }: { inDoubt: boolean; serverErrors: number; reasons?: string[] },
): Promise<Step> {
  const finalReasons = outcome.kind === 'unauthorized' ? (outcome.reasons ?? reasons) : reasons
  await writeState(work, items, inDoubt ? 'lost' : 'held', {
    status: statusOf(outcome),
    serverErrors,
    reasons: finalReasons,
  })
  return { kind: 'blocked', outcome, unclear: isUnclear(outcome) }
}

/** Ends an item as 失敗 or 期限切れ. */
export async function park(
  work: Sending,
  item: QueueItem,
  { as, reasons, status = 0 }: Parking,
): Promise<Step> {
  await work.states.put([item], as, { reasons, status, settledAt: isoNow(work) })
  return { kind: 'done' }
}

/** True if the CRM may have it: ambiguous, or given up while its read-backs were unclear. */
export const mayHaveArrived = (progress: SendFacts): boolean =>
  isInDoubt({ progress }) || (progress.state === 'refused' && progress.serverErrors >= MAX_SERVER_ERRORS)

const statusOf = (outcome: Outcome) => ('status' in outcome ? outcome.status : 0)

export const isoNow = ({ now }: Pick<Sending, 'now'>) => new Date(now()).toISOString()
