/**
 * One attempt to send a change of a record, or the upload, rename or deletion of a photo. The steps are the same; a
 * `SendAdapter` supplies the operations that differ:
 *
 *     may have arrived? ── read back ─ there → accepted
 *       │                            └ absent ↓
 *       └─ no ─→ 24 hours old, or five server errors? ─ yes → 期限切れ or 失敗
 *                                                      └ no → state `sending` → call → accepted │ refused
 *                                                                                 └ other answer: tried again later
 *
 * Invariants: the stored item says `sending` before a call leaves (OC3), and `accepted` before anything follows from
 * the acceptance (OC1). A crash may prevent the adapter's `settle`; the next attempt then runs it.
 */
import { isActionable, isInDoubt, PAUSED, type QueueItem } from '#schemas/changes/change-queue.ts'
import { isoOf } from '#schemas/instant.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import {
  afterAccepted,
  afterOther,
  afterReason,
  afterUnclear,
  afterUnstored,
  hasReason,
  isLost,
  isOwnFault,
  isUnclear,
} from './failure-attribution.ts'
import {
  ABSENT,
  DONE,
  type AttemptEnd,
  type Parking,
  type ReadBack,
  type SendAdapter,
  type Sending,
  type Sent,
  type Step,
} from './send-adapter.ts'

/** After this many unclear answers that are its own fault, an item becomes 失敗 (RULES OR3). */
export const MAX_SERVER_ERRORS = 5

export async function attempt<J extends QueueItem, M>(
  adapter: SendAdapter<J, M>,
  job: J,
): Promise<AttemptEnd> {
  const { work } = adapter
  if (!isActionable(job)) return DONE
  if (job.change.userId !== work.userId)
    return park(work, job, { kind: 'park', as: 'refused', reasons: ['otherUser'] })
  const parking = automaticEnd(work, job)
  // An item whose last call may have arrived is read back before it becomes 失敗 or 期限切れ (RULES ST1).
  const readBack = parking && !isInDoubt(job) ? ABSENT : await readBackTwice(adapter, job)
  if (readBack.kind === 'later') return DONE
  if (readBack.kind === 'ended') return readBack.step
  if (readBack.kind === 'there') return accept(adapter, [job], readBack.made)
  if (readBack.kind === 'failed') return readBackFailed(work, [job], readBack.outcome, isInDoubt(job))
  const plan = (await adapter.findBlocker?.(job)) ?? parking ?? (await adapter.plan(job, readBack))
  if (plan.kind === 'park') return park(work, job, plan)
  if (plan.kind === 'failed') return handleAnswer(adapter, [job], plan.outcome)
  if (plan.kind !== 'call') return { kind: plan.kind }
  if (!(await work.store.begin(plan.jobs, plan.payload, plan.facts))) return DONE
  const sent = await plan.send(work.lease)
  recordEnd(work, plan.jobs, sent)
  return handleAnswer(adapter, plan.jobs, sent)
}

/** @returns 期限切れ a day after the save or the last 再送, 失敗 after too many server errors, or null (EX2, OR3) */
function automaticEnd({ now }: Sending, { change, progress }: QueueItem): Parking | null {
  const savedAt = Date.parse(progress?.waitingSince ?? change.savedAt)
  if (now() - savedAt > EXPIRY_MS) return { kind: 'park', as: 'expired', reasons: [] }
  if (!progress || progress.serverErrors < MAX_SERVER_ERRORS) return null
  return { kind: 'park', as: 'refused', reasons: ['systemError'], status: progress.status }
}

/** Reads back, twice if the CRM could apply an earlier call as well (OC9). `later`: too early for the second. */
async function readBackTwice<J extends QueueItem, M>(
  adapter: SendAdapter<J, M>,
  job: J,
): Promise<ReadBack<M> | { kind: 'later' }> {
  if (!adapter.needsSecondReadBack(job)) return adapter.readBack(job)
  const { readBacks, wake } = adapter.work
  const { id } = job.change
  const before = readBacks.remainingMs(id)
  const readBack = before > 0 ? ABSENT : await adapter.readBack(job)
  const remainingMs = readBack.kind === 'absent' ? before || readBacks.foundAbsent(id) : 0
  if (remainingMs === 0) return readBack
  wake(remainingMs)
  return { kind: 'later' }
}

async function handleAnswer<J extends QueueItem, M>(
  adapter: SendAdapter<J, M>,
  jobs: J[],
  sent: Sent<M>,
): Promise<AttemptEnd> {
  const { work } = adapter
  if (sent.kind === 'made') {
    const ids = jobs.map(({ change }) => change.id)
    work.faults.now = afterAccepted(work.faults.now, ids)
    return accept(adapter, jobs, sent.made, sent.messages)
  }
  if (sent.kind === 'refused' || sent.kind === 'missing') return handleRefusal(adapter, jobs, sent)
  // The browser may have sent the call twice. A 412 may then answer the second, and the CRM has applied the first.
  if (sent.kind === 'stale') return block(work, jobs, sent, { inDoubt: true })
  if (isUnclear(sent) && jobs.length > 1) adapter.sendIndividually?.(jobs)
  return block(work, jobs, sent, {
    inDoubt: sent.kind === 'unknown' || jobs.some(isInDoubt),
    // An item at fault before is so again, also without another accepted write: the CRM just answered its read-back.
    isOwn: jobs.some(({ progress }) => (progress?.serverErrors ?? 0) > 0),
  })
}

/** Marks changes as refused, unless a read-back shows that only a repetition of an earlier call was (RULES OC3). */
async function handleRefusal<J extends QueueItem, M>(
  adapter: SendAdapter<J, M>,
  jobs: J[],
  { reasons, status }: { reasons: string[]; status: number },
): Promise<AttemptEnd> {
  const { work } = adapter
  for (const job of jobs) {
    const readBack = (await adapter.readBackAfterRefusal?.(job)) ?? ABSENT
    if (readBack.kind === 'there') return accept(adapter, [job], readBack.made)
    if (readBack.kind === 'failed') return readBackFailed(work, jobs, readBack.outcome, true)
  }
  if (jobs.length > 1 && adapter.sendIndividually) {
    // The refusal does not say which of the changes is at fault.
    adapter.sendIndividually(jobs)
    await work.store.put(jobs, 'held', { reasons: [], status: 0 })
    return { kind: 'more' }
  }
  if (hasReason({ status, reasons })) work.faults.now = afterReason(work.faults.now)
  else if (await adapter.isSharedFailure?.(jobs))
    return block(work, jobs, { kind: 'unknown', status }, { inDoubt: true, reasons: [PAUSED] })
  await work.store.put(jobs, 'refused', { reasons, status, settledAt: isoOf(work.now()) })
  return DONE
}

async function accept<J extends QueueItem, M>(
  adapter: SendAdapter<J, M>,
  jobs: J[],
  made: M,
  messages: string[] = [],
): Promise<AttemptEnd> {
  const { work } = adapter
  const facts = { reasons: messages, settledAt: isoOf(work.now()) }
  await work.store.put(jobs, 'accepted', (job) => ({ ...facts, ...adapter.acceptedFacts?.(job, made) }))
  let end: AttemptEnd = DONE
  for (const job of jobs) end = (await adapter.settle?.(job, made)) ?? DONE
  return end
}

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
  if (endsCount && sent.kind !== 'made') faults.now = afterOther(faults.now, ids)
}

/** After a failed read-back the earlier call remains ambiguous. A refusal with a reason is the item's own fault. */
function readBackFailed(work: Sending, items: QueueItem[], read: Outcome, inDoubt: boolean): Promise<Step> {
  const isClear = read.kind === 'missing' || read.kind === 'refused'
  const outcome: Outcome = isClear ? { kind: 'unknown', status: read.status } : read
  return block(work, items, outcome, { inDoubt, isOwn: isClear && hasReason(read), mayEnd: true })
}

/**
 * Stores why the items could not be sent. They are sent again later, unless they become 失敗.
 * @param options `inDoubt`: the CRM may have received a call. `isOwn`: an unclear answer is the item's own fault, even
 * if the CRM has accepted no other write. `mayEnd`: `MAX_SERVER_ERRORS` own faults make the items 失敗
 */
async function block(
  work: Sending,
  items: QueueItem[],
  outcome: Outcome,
  options: { inDoubt: boolean; isOwn?: boolean; mayEnd?: boolean; reasons?: string[] },
): Promise<Step> {
  const { inDoubt, isOwn = false, mayEnd = false, reasons = [] } = options
  const { store, faults } = work
  const ids = items.map(({ change }) => change.id)
  const unclear = isUnclear(outcome)
  const isAtFault = unclear && (isOwn || ids.some((id) => isOwnFault(faults.now, id)))
  if (unclear) faults.now = afterUnclear(faults.now, ids)
  const before = Math.max(0, ...items.map(({ progress }) => progress?.serverErrors ?? 0))
  const serverErrors = before + (isAtFault ? 1 : 0)
  const facts = { status: 'status' in outcome ? outcome.status : 0, serverErrors }
  // An item that the user wants to discard does not become 失敗, but waits for its read-back.
  const isUnwanted = items.some(({ progress }) => progress?.wish === 'discard')
  const ends = mayEnd && unclear && serverErrors >= MAX_SERVER_ERRORS && !isUnwanted
  const shown = outcome.kind === 'unauthorized' ? (outcome.reasons ?? reasons) : reasons
  try {
    if (ends)
      await store.put(items, 'refused', { ...facts, reasons: ['systemError'], settledAt: isoOf(work.now()) })
    else await store.put(items, inDoubt ? 'lost' : 'held', { ...facts, reasons: shown })
  } catch (error) {
    // A full device cannot store the fault, so it is remembered in memory (RULES OC8).
    if (isAtFault) faults.now = afterUnstored(faults.now, ids)
    throw error
  }
  return ends ? DONE : { kind: 'blocked', outcome }
}

async function park(work: Sending, item: QueueItem, { as, reasons, status = 0 }: Parking): Promise<Step> {
  await work.store.put([item], as, { status, reasons, settledAt: isoOf(work.now()) })
  return DONE
}

/** True if the item may have arrived: a call is ambiguous, or the read-backs failed until it became 失敗. */
export const mayHaveArrived = (progress: SendFacts): boolean =>
  isInDoubt({ progress }) || (progress.state === 'refused' && progress.serverErrors >= MAX_SERVER_ERRORS)
