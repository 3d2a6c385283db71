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
import { EXPIRY_MS } from '#schemas/limits.ts'
import { afterAccepted, afterReason, hasReason, isUnclear } from './failure-attribution.ts'
import {
  DONE,
  type AttemptEnd,
  type Job,
  type Parking,
  type Plan,
  type ReadBack,
  type SendAdapter,
  type Sending,
  type Sent,
} from './send-adapter.ts'
import { recordEnd, isoNow, MAX_SERVER_ERRORS, readBackFailed, park, block } from './unsent.ts'

const ABSENT: Extract<ReadBack<never>, { kind: 'absent' }> = { kind: 'absent' }

export async function attempt<J extends Job, M>(adapter: SendAdapter<J, M>, job: J): Promise<AttemptEnd> {
  const { work } = adapter
  const { item } = job
  if (!isActionable(item)) return DONE
  if (item.change.userId !== work.userId)
    return park(work, item, { kind: 'park', as: 'refused', reasons: ['otherUser'] })
  const parking = automaticEnd(work, item)
  // An item whose last call may have arrived is read back before it becomes 失敗 or 期限切れ (RULES ST1).
  const readBack = parking && !isInDoubt(item) ? ABSENT : await readBackTwice(adapter, job)
  switch (readBack.kind) {
    case 'later':
      return DONE
    case 'ended':
      return readBack.step
    case 'there':
      return accept(adapter, [job], readBack.made)
    case 'failed':
      return readBackFailed(work, [item], readBack.outcome, isInDoubt(item))
    case 'absent': {
      const blocker = (await adapter.findBlocker?.(job)) ?? parking
      return proceed(adapter, job, blocker ?? (await adapter.plan(job, readBack)))
    }
  }
}

/**
 * @returns 期限切れ if 24 hours have passed since the save or the last 再送, 失敗 after too many server errors, otherwise
 * null (RULES EX2, OR3)
 */
function automaticEnd({ now }: Sending, { change, progress }: QueueItem): Parking | null {
  const savedAt = Date.parse(progress?.waitingSince ?? change.savedAt)
  if (now() - savedAt > EXPIRY_MS) return { kind: 'park', as: 'expired', reasons: [] }
  const isTriedOut = (progress?.serverErrors ?? 0) >= MAX_SERVER_ERRORS
  return isTriedOut
    ? { kind: 'park', as: 'refused', reasons: ['systemError'], status: progress?.status }
    : null
}

/**
 * Reads back once, or twice if the CRM could apply an earlier call as well as a new one (RULES OC9).
 * @returns `later` if it is too early for the second read-back
 */
async function readBackTwice<J extends Job, M>(
  adapter: SendAdapter<J, M>,
  job: J,
): Promise<ReadBack<M> | { kind: 'later' }> {
  if (!adapter.needsSecondReadBack(job)) return adapter.readBack(job)
  const { readBacks, wake } = adapter.work
  const { id } = job.item.change
  const before = readBacks.remainingMs(id)
  const readBack: ReadBack<M> = before > 0 ? ABSENT : await adapter.readBack(job)
  const remainingMs = readBack.kind === 'absent' ? before || readBacks.foundAbsent(id) : 0
  if (remainingMs === 0) return readBack
  wake(remainingMs)
  return { kind: 'later' }
}

async function proceed<J extends Job, M>(
  adapter: SendAdapter<J, M>,
  job: J,
  plan: Plan<J, M>,
): Promise<AttemptEnd> {
  const { work } = adapter
  switch (plan.kind) {
    case 'done':
    case 'more':
      return plan
    case 'park':
      return park(work, job.item, plan)
    case 'failed':
      return handleAnswer(adapter, [job], plan.outcome)
    case 'call': {
      const items = plan.jobs.map(({ item }) => item)
      if (!(await work.states.begin(items, plan.payload, plan.facts))) return DONE
      const sent = await plan.send(work.lease)
      recordEnd(work, items, sent)
      return handleAnswer(adapter, plan.jobs, sent)
    }
  }
}

async function handleAnswer<J extends Job, M>(
  adapter: SendAdapter<J, M>,
  jobs: J[],
  sent: Sent<M>,
): Promise<AttemptEnd> {
  const { work } = adapter
  const items = jobs.map(({ item }) => item)
  switch (sent.kind) {
    case 'made': {
      const ids = items.map(({ change }) => change.id)
      work.faults.fold((state) => afterAccepted(state, ids))
      return accept(adapter, jobs, sent.made, sent.messages)
    }
    case 'refused':
    case 'missing':
      return handleRefusal(adapter, jobs, sent)
    case 'stale':
      // The browser may have sent the call twice. The 412 may then answer the second, and the CRM has applied the
      // first.
      return block(work, items, sent, { inDoubt: true })
    case 'unknown':
    case 'unreachable':
    case 'throttled':
    case 'unauthorized':
      if (isUnclear(sent) && jobs.length > 1) adapter.sendIndividually?.(jobs)
      return block(work, items, sent, {
        inDoubt: sent.kind === 'unknown' || items.some(isInDoubt),
        // An item that was at fault before is at fault again, although the CRM has accepted no other write since: it
        // has just answered the read-back of the item.
        isOwn: items.some(({ progress }) => (progress?.serverErrors ?? 0) > 0),
      })
  }
}

/**
 * Marks the changes as refused. If a read-back finds one of them in the CRM, an earlier call had arrived and was
 * refused only as a repetition. That change is then accepted (RULES OC3).
 */
async function handleRefusal<J extends Job, M>(
  adapter: SendAdapter<J, M>,
  jobs: J[],
  { reasons, status }: { reasons: string[]; status: number },
): Promise<AttemptEnd> {
  const { work } = adapter
  const items = jobs.map(({ item }) => item)
  for (const job of jobs) {
    const readBack = (await adapter.readBackAfterRefusal?.(job)) ?? ABSENT
    if (readBack.kind === 'there') return accept(adapter, [job], readBack.made)
    if (readBack.kind === 'failed') return readBackFailed(work, items, readBack.outcome, true)
  }
  if (jobs.length > 1 && adapter.sendIndividually) {
    // The refusal does not say which of the changes is at fault.
    adapter.sendIndividually(jobs)
    await work.states.put(items, 'held', { reasons: [], status: 0 })
    return { kind: 'more' }
  }
  if (hasReason({ status, reasons })) work.faults.fold(afterReason)
  else if (await adapter.isSharedFailure?.(items))
    return block(work, items, { kind: 'unknown', status }, { inDoubt: true, reasons: [PAUSED] })
  await work.states.put(items, 'refused', { reasons, status, settledAt: isoNow(work) })
  return DONE
}

async function accept<J extends Job, M>(
  adapter: SendAdapter<J, M>,
  jobs: J[],
  made: M,
  messages: string[] = [],
): Promise<AttemptEnd> {
  const { work } = adapter
  const facts = { reasons: messages, settledAt: isoNow(work) }
  const items = jobs.map(({ item }) => item)
  await work.states.put(items, 'accepted', ({ change }) => {
    const job = jobs.find(({ item }) => item.change === change)
    return { ...facts, ...(job && adapter.acceptedFacts?.(job, made)) }
  })
  let end: AttemptEnd = DONE
  for (const job of jobs) end = (await adapter.settle?.(job, made)) ?? DONE
  return end
}
