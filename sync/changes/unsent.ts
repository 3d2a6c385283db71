/**
 * Writes the state of a change or photo that could not be sent: the reason, who is at fault, and whether the app
 * tries again (RULES OC2–OC9).
 */
import { isInDoubt, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { DONE, type Parking, type Sending, type Sent, type Step } from './send-adapter.ts'
import { isLost, afterOther, afterUnstored, hasReason, isUnclear } from './failure-attribution.ts'

/** After this many unclear answers that are its own fault, an item becomes 失敗 (RULES OR3). */
export const MAX_SERVER_ERRORS = 5

/** Records for the later attempts how a call ended. A call that the circuit breaker stopped (OC10) does not count. */
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
  // Any clear answer, such as a refusal with a reason, resets the count of unclear answers (RULES OR1).
  const endsCount = sent.kind === 'refused' || sent.kind === 'missing' ? hasReason(sent) : !isUnclear(sent)
  if (endsCount && sent.kind !== 'made') faults.fold((state) => afterOther(state, ids))
}

/**
 * Handles a failed read-back: the earlier call remains ambiguous. A refusal with a reason counts as the item's own
 * fault.
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
  /** True if the CRM may have received a call for the items. */
  inDoubt: boolean
  /** True if an unclear answer counts as the item's own fault, even if the CRM has accepted no other write. */
  isOwn?: boolean
  /** True if the items become 失敗 after `MAX_SERVER_ERRORS` faults of their own. */
  mayEnd?: boolean
  reasons?: string[]
}

/** Stores why the items could not be sent. They are sent again later, unless they become 失敗. */
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
  // An item that the user wants to discard does not become 失敗, but waits for its read-back.
  const isUnwanted = items.some(({ progress }) => progress?.wish === 'discard')
  const ends = mayEnd && unclear && serverErrors >= MAX_SERVER_ERRORS && !isUnwanted
  const shown = outcome.kind === 'unauthorized' ? (outcome.reasons ?? reasons) : reasons
  try {
    if (ends) await states.put(items, 'refused', { ...facts, ...endFacts(work, ['systemError']) })
    else await states.put(items, inDoubt ? 'lost' : 'held', { ...facts, reasons: shown })
  } catch (error) {
    // A full device cannot store the fault, so it is remembered in memory (RULES OC8).
    if (isOwnFault) faults.fold((state) => afterUnstored(state, ids))
    throw error
  }
  return ends ? DONE : { kind: 'blocked', outcome, unclear }
}

const endFacts = (work: Sending, reasons: string[]) => ({ reasons, settledAt: isoNow(work) })

export async function park(
  work: Sending,
  item: QueueItem,
  { as, reasons, status = 0 }: Parking,
): Promise<Step> {
  await work.states.put([item], as, { status, ...endFacts(work, reasons) })
  return DONE
}

/**
 * True if the CRM or the file store may have the item: a call is ambiguous, or the read-backs failed until the item
 * became 失敗.
 */
export const mayHaveArrived = (progress: SendFacts): boolean =>
  isInDoubt({ progress }) || (progress.state === 'refused' && progress.serverErrors >= MAX_SERVER_ERRORS)

export const isoNow = ({ now }: Pick<Sending, 'now'>) => new Date(now()).toISOString()
