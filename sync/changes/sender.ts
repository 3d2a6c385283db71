/**
 * Sends the changes that RxDB pushes, in the order of saving, one at a time over all resources (RULES OR1). The steps of
 * one attempt are in `attempt.ts`. The push handler, which photos use too (`photos/start-photos.ts`), remembers the items
 * that RxDB pushes until their sending ends, and sends them when the scheduler's gate opens:
 *
 *     push(rows) ─→ pending ─→ decide ─→ gate ─→ send ─┬─ all sent or postponed ─→ resolves, RxDB may push again
 *                                ↑                     └─ everything is blocked ─┐
 *                                └───────── waits for the gate or a new save ────┘
 *
 * `decide` applies the user's 再送 and 破棄. The first run reads all open items from the device, so that nothing depends
 * on RxDB's checkpoint (trap 3). An item saved while a run waits is sent by that run, before RxDB pushes it (trap 25).
 */
import type { Change, SendFacts } from '#schemas/change.ts'
import {
  changesDiscardedWith,
  isCreating,
  isSendable,
  type QueueItem,
} from '#schemas/changes/change-queue.ts'
import { isoOf } from '#schemas/instant.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import type { TrustedClock } from '#sync/lib/trusted-clock.ts'
import type { Api } from '#sync/scheduler/api.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import { readQueue, sendLock, type ChangeRef, type QueueStore } from './change-store.ts'
import {
  createLateChecks,
  isSuspected,
  isUnclear,
  NO_FAULTS,
  type Faults,
  type FaultState,
} from './failure-attribution.ts'
import { DONE, type HandlerParts, type SendStates, type Step } from './send-adapter.ts'
import { sendChange, type SenderParts, type Work } from './send-change.ts'
import { BehaviorSubject, defer, filter, firstValueFrom, map, race } from 'rxjs'

/** Returns what blocks sending; null if the time is certain, which decides about 期限切れ (RULES EX2, EX3). */
export type AgeCheck = () => Promise<Step | null>

/** Creates an `AgeCheck`. If the device's clock has jumped ahead, a call to the CRM shows the time. */
export const createAgeCheck =
  (time: Pick<TrustedClock, 'isInDoubt'>, api: Pick<Api, 'fresh'>, staff: string): AgeCheck =>
  async () => {
    if (!time.isInDoubt()) return null
    const outcome = await api.fresh.read('request/search', { supplierStaffId: staff, limit: 1, offset: 1 })
    return time.isInDoubt() ? { kind: 'blocked', outcome } : null
  }

export function createSender(parts: SenderParts & { gate: Gate; ageCheck: AgeCheck }): PushHandler {
  const { now } = parts.clock
  const pending = new Map<string, ChangeRef>()
  const work: Work = {
    ...parts,
    now,
    pending,
    faults: { now: NO_FAULTS },
    readBacks: createLateChecks(parts.elapsed, parts.limitMs),
    sentIndividually: new Set<string>(),
    wake: (ms) => handler.wake(ms),
  }
  const handler = createPushHandler({
    ...parts,
    pending,
    applyUserRequests: applyUserRequests({ ...parts, now }),
    open: () => openAfterStart(parts),
    send: () =>
      sendQueue({
        queue: async () => (await readQueue(work)).filter(isSendable),
        send: (item) =>
          work.locks.request(sendLock(work.store), (lease) => {
            const store = work.store.within(lease)
            return sendChange({ ...work, lease, store }, item)
          }),
        faults: work.faults,
        retryLater: () => work.wake(RETRY_MAX_MS),
      }),
  })
  return handler
}

/** Reads all open changes. A change that a crash left in `sending` becomes ambiguous (RULES OC3). */
async function openAfterStart({ store, locks }: SenderParts): Promise<Change[]> {
  const open = await store.open()
  const sending = open.filter(({ state }) => state === 'sending')
  if (sending.length > 0)
    await locks.request(sendLock(store), async (lease) => {
      const leased = store.within(lease)
      for (const { id } of sending) await leased.markAmbiguous(id)
    })
  return open
}

interface QueueParts {
  queue: () => Promise<QueueItem[]>
  send: (item: QueueItem) => Promise<Step>
  faults: Faults
  retryLater: () => void
}

/**
 * Sends each item of the queue once (RULES OR1, OR3). The first item without a usable answer ends the run. After two
 * 5xx in a row for one item, the next run begins with the others (OC8).
 * @param parts `retryLater`: schedules another run, because one item is blocked while the CRM accepts others
 */
export async function sendQueue({ queue, send, faults, retryLater }: QueueParts): Promise<Step> {
  const tried = new Set<string>()
  const { accepted } = faults.now
  const untried = async () => (await queue()).filter(({ change }) => !tried.has(change.id))
  for (;;) {
    let due = await untried()
    if (due.length === 0) return DONE
    // The queue is sorted again for each item, because every answer changes the order.
    const next = () => bySuspicion(due, faults.now)[0]
    for (let item = next(); item; item = next()) {
      const { id } = item.change
      due = due.filter(({ change }) => change.id !== id)
      tried.add(id)
      const step = await send(item)
      if (step.kind === 'done') continue
      const isLast = (await untried()).length === 0
      const isBlockedAlone =
        isUnclear(step.outcome) && isSuspected(faults.now, id) && faults.now.accepted > accepted
      if (!isBlockedAlone || !isLast) return step
      retryLater()
      return DONE
    }
  }
}

/** Moves changes whose last answer was unclear to the end, oldest answer first; those of one record stay in order (OR2). */
export function bySuspicion(queue: readonly QueueItem[], state: FaultState): QueueItem[] {
  const ids = [...state.unclear].filter(([, { times }]) => times > 0).map(([id]) => id)
  const recordOf = ({ record }: QueueItem) => `${record.resource} ${record.key}`
  const rank = new Map<string, number>()
  for (const item of queue)
    rank.set(recordOf(item), Math.max(rank.get(recordOf(item)) ?? -1, ids.indexOf(item.change.id)))
  const [first] = queue
  const rankOf = (item: QueueItem) =>
    item === first && !isSuspected(state, item.change.id) ? -2 : (rank.get(recordOf(item)) ?? 0)
  return queue.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/**
 * Applies the user's requests 再送 and 破棄, which a screen stores in the field `wish` of the change or photo, under the
 * send lock, so that no item is discarded while it is being sent. `wish` is reset last: a crash only repeats the work.
 */
export const applyUserRequests =
  ({ store, locks, now }: Pick<SenderParts, 'store' | 'locks'> & { now: () => number }) =>
  (ids: readonly string[]): Promise<void> =>
    locks.request(sendLock(store), async (lease) => {
      const leased = store.within(lease)
      for (const id of ids)
        await applyUserRequest(leased, id, now, {
          needsReadBack: isCreating,
          discard: (entry) => discard(leased, entry, now),
        })
    })

/** @param acts `needsReadBack`: the CRM could create the item twice, so 再送 reads it back first (RULES OC6) */
export async function applyUserRequest(
  store: SendStates,
  id: string,
  now: () => number,
  acts: { needsReadBack(entry: SendFacts): boolean; discard(entry: SendFacts): Promise<void> },
): Promise<void> {
  const entry = (await store.sendFacts([id])).get(id)
  if (!entry || entry.wish === 'none') return
  if (entry.state === 'accepted' || (entry.state === 'discarded' && entry.wish === 'resend'))
    return store.clearWish(id, entry.wish)
  if (entry.wish === 'discard') return acts.discard(entry)
  // The 24 hours for sending start again now, or at the previous, later time if the clock was set back (RULES EX3).
  const waitingSince = [entry.waitingSince, isoOf(now())].toSorted().at(-1) ?? ''
  const facts = { reasons: [], status: 0, waitingSince, serverErrors: 0 }
  await store.putById(id, acts.needsReadBack(entry) ? 'resentInDoubt' : 'resent', facts)
  await store.clearWish(id, 'resend')
}

/** Discards an unsent change, with what depends on it and what it had replaced. No other code discards any (RULES SV3). */
async function discard(store: QueueStore, entry: SendFacts, now: () => number): Promise<void> {
  const record = await store.record(entry.resource, entry.recordKey)
  const change = record?.changes.find(({ id }) => id === entry.id)
  const facts = { wish: 'none' as const, settledAt: isoOf(now()) }
  if (!record || !change) return store.putById(entry.id, 'discarded', facts)
  const discarded = [change, ...changesDiscardedWith(record, change)]
  const items = discarded.map((each) => ({ record, change: each, progress: undefined }))
  await store.put(items, 'discarded', facts)
}

export type PushHandler = ReturnType<typeof createPushHandler>

interface Parts extends HandlerParts {
  gate: Gate
  /** Items that RxDB has pushed and whose sending has not ended, by id. */
  pending: Map<string, ChangeRef>
  /** Reads all open items on the device. Called once. */
  open: () => Promise<readonly ChangeRef[]>
  store: Pick<SendStates, 'sendFacts'>
  ageCheck: AgeCheck
  applyUserRequests: (ids: readonly string[]) => Promise<void>
  send: () => Promise<Step>
}

export function createPushHandler(parts: Parts) {
  const { gate, pending, open, store, applyUserRequests: applyRequests, ageCheck, send, wait } = parts
  /** True if a save has arrived since the run last applied the user's requests. */
  const isSaved$ = new BehaviorSubject(false)
  /** The wait at the gate. All runs share it, because each wait would use a trial call of the circuit breaker. */
  let waiting: Promise<void> | null = null
  const passed$ = defer(() => (waiting ??= gate.passed().finally(() => (waiting = null))))
  const savedBeforeGateOpens$ = race(isSaved$.pipe(filter(Boolean)), passed$.pipe(map(() => false)))
  let isFirst = true
  let lastRun: Promise<unknown> = Promise.resolve()
  /** Number of storage errors in a row. */
  let errors = 0

  const enqueue = (ref: ChangeRef) => {
    pending.set(ref.id, ref)
    isSaved$.next(true)
  }
  async function decide(): Promise<void> {
    const rows = await store.sendFacts([...pending.keys()])
    const requested = [...rows.values()].flatMap(({ id, wish }) => (wish === 'none' ? [] : id))
    if (requested.length > 0) await applyRequests(requested)
  }
  async function run(): Promise<void> {
    const found = isFirst ? await open() : []
    isFirst = false
    for (const row of found) pending.set(row.id, row)
    for (;;) {
      isSaved$.next(false)
      if (pending.size === 0) return
      await decide()
      if (await firstValueFrom(savedBeforeGateOpens$)) continue
      const step = await ageCheck()
        .then((blocked) => blocked ?? send())
        .catch((error: unknown) => {
          gate.failed()
          throw error
        })
      if (step.kind === 'done') return gate.succeeded()
      gate.failed(step.outcome.kind === 'throttled' ? step.outcome.retryAfterMs : 0)
    }
  }
  /** Called by RxDB's push. Resolves when the sending of each item has ended or was postponed. */
  function push(rows: readonly ChangeRef[]): Promise<void> {
    for (const row of rows) enqueue(row)
    const current = lastRun.then(async () => {
      // RxDB calls a failed handler again at once, so a run after a storage error waits (RULES ST4).
      if (errors > 0) await wait(Math.min(RETRY_FIRST_MS * 2 ** (errors - 1), RETRY_MAX_MS))
      await run()
      errors = 0
    })
    lastRun = current.catch((error: unknown) => {
      if (!(error instanceof GateClosed)) errors += 1
    })
    return current
  }
  const wake = createWakeTimer(parts, () => lastRun, push)
  return { push, wake, enqueue, decide }
}

/**
 * Returns a function that schedules a run after the current one, without a push by RxDB (RULES trap 3). Of several only the
 * earliest takes place.
 */
function createWakeTimer(
  { elapsed, wait, failed }: HandlerParts,
  currentRun: () => Promise<unknown>,
  push: (rows: []) => Promise<void>,
) {
  let nextAt = Infinity
  return function wake(ms: number): void {
    const wakeAt = elapsed() + ms
    if (wakeAt >= nextAt) return
    nextAt = wakeAt
    const runLater = async () => {
      await wait(ms)
      await currentRun()
      if (nextAt === wakeAt) nextAt = Infinity
      await push([])
    }
    runLater().catch((error: unknown) => {
      if (error instanceof GateClosed) return
      failed(error)
      wake(RETRY_MAX_MS)
    })
  }
}
