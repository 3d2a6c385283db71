/**
 * Writes the state of a change or photo that was not sent: the reason, whether the fault is its own, and whether the
 * app tries again (RULES OC2–OC9).
 */
import { isInDoubt, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { DONE, type Parking, type Sending, type Sent, type Step } from './send-adapter.ts'
import { isLost, afterOther, afterUnstored, hasReason, isUnclear } from './failure-attribution.ts'

/** After this many unclear answers that are its own fault an item is 失敗 (RULES OR3). */
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
    readBacks.callLeft(id)
    if (!isLost(sent)) readBacks.callEnded(id)
  }
  // a refusal with a reason is a definite answer, even if an earlier call is still ambiguous (RULES OR1)
  const endsCount = sent.kind === 'refused' || sent.kind === 'missing' ? hasReason(sent) : !isUnclear(sent)
  if (endsCount && sent.kind !== 'made') faults.fold((state) => afterOther(state, ids))
}

/**
 * A read-back failed, so an earlier call remains ambiguous. A refusal with a reason counts as the item's own fault.
 */
export function readBackFailed(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  inDoubt: boolean,
): Promise<Step> {
  const isRefusal = outcome.kind === 'missing' || outcome.kind === 'refused'
  const effective: Outcome = isRefusal ? { kind: 'unknown', status: outcome.status } : outcome
  const isOwn = isRefusal && hasReason(outcome)
  return block(work, items, effective, { inDoubt, isOwn, mayEnd: true })
}

interface BlockOptions {
  /** True if a call may have arrived. */
  inDoubt: boolean
  /** True if an unclear answer is the item's own fault, even if the CRM has accepted nothing since. */
  isOwn?: boolean
  /** True if the items become 失敗 after `MAX_SERVER_ERRORS` own faults. */
  mayEnd?: boolean
  reasons?: string[]
}

/** Writes the state of items that are blocked. They are tried again later, unless they end as 失敗. */
export async function block(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  { inDoubt, isOwn = false, mayEnd = false, reasons = [] }: BlockOptions,
): Promise<Step> {
  const { states, faults } = work
  const ids = items.map(({ change }) => change.id)
  const unclear = isUnclear(outcome)
  const isOwnFault = unclear && (faults.unclear(ids) || isOwn)
  const before = Math.max(0, ...items.map(({ progress }) => progress?.serverErrors ?? 0))
  const serverErrors = before + (isOwnFault ? 1 : 0)
  const facts = { status: 'status' in outcome ? outcome.status : 0, serverErrors }
  // an item that the user wants to discard waits until the read-back succeeds
  const isUnwanted = items.some(({ progress }) => progress?.wish === 'discard')
  const ends = mayEnd && unclear && serverErrors >= MAX_SERVER_ERRORS && !isUnwanted
  const shown = outcome.kind === 'unauthorized' ? (outcome.reasons ?? reasons) : reasons
  try {
    if (ends) await states.put(items, 'refused', { ...facts, ...endFacts(work, ['systemError']) })
    else await states.put(items, inDoubt ? 'lost' : 'held', { ...facts, reasons: shown })
  } catch (error) {
    // an own fault that a full device cannot store is remembered in memory (RULES OC8)
    if (isOwnFault) faults.fold((state) => afterUnstored(state, ids))
    throw error
  }
  return ends ? DONE : { kind: 'blocked', outcome, unclear }
}

const endFacts = (work: Sending, reasons: string[]) => ({ reasons, settledAt: isoNow(work) })

/** Ends an item as 失敗 or 期限切れ. */
export async function park(
  work: Sending,
  item: QueueItem,
  { as, reasons, status = 0 }: Parking,
): Promise<Step> {
  await work.states.put([item], as, { status, ...endFacts(work, reasons) })
  return DONE
}

/** True if the CRM or file store may have the item: ambiguous, or 失敗 because its read-backs were unclear. */
export const mayHaveArrived = (progress: SendFacts): boolean =>
  isInDoubt({ progress }) || (progress.state === 'refused' && progress.serverErrors >= MAX_SERVER_ERRORS)

export const isoNow = ({ now }: Pick<Sending, 'now'>) => new Date(now()).toISOString()
