/**
 * The push handler of changes (`sender.ts`) and of photos (`photos/photo-sender.ts`). It remembers the items that RxDB
 * pushes until their sending ends, and sends them when the scheduler's gate opens.
 *
 *     push(rows) ─→ pending ─→ decide ─→ gate ─→ send ─┬─ all sent or postponed ─→ resolves, RxDB may push again
 *                                ↑                     └─ everything is blocked ─┐
 *                                └───────── waits for the gate or a new save ────┘
 *
 * `decide` applies the user's 再送 and 破棄. The first run reads all open items from the device, so that nothing depends
 * on RxDB's checkpoint (trap 3). An item saved while a run waits is sent by that run, before RxDB pushes it (trap 25).
 */
import { BehaviorSubject, defer, filter, firstValueFrom, map, race } from 'rxjs'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import type { ChangeRef } from './change-store.ts'
import type { Step, SendStates } from './send-adapter.ts'

export interface PushHandler {
  /** Called by RxDB's push. Resolves when the sending of each item has ended or was postponed. */
  push(rows: readonly ChangeRef[]): Promise<void>
  /** Sends the pending items after this many milliseconds, without a push by RxDB (RULES trap 3). */
  wake(ms: number): void
  /** Adds a saved item to the current run before RxDB pushes it. */
  enqueue(ref: ChangeRef): void
  /** Applies the user's pending 再送 and 破棄 requests. Needs no connection. */
  decide(): Promise<void>
}

/** `elapsed`: a monotonic clock, ms. `wait` throws GateClosed if sync stops. `failed` receives storage errors. */
export interface HandlerParts {
  elapsed: () => number
  wait: (ms: number) => Promise<void>
  failed: (error: unknown) => void
}

interface Parts extends HandlerParts {
  gate: Gate
  /** Items that RxDB has pushed and whose sending has not ended, by id. */
  pending: Map<string, ChangeRef>
  /** Reads all open items on the device. Called once. */
  open: () => Promise<readonly ChangeRef[]>
  states: Pick<SendStates, 'read'>
  applyUserRequests: (ids: readonly string[]) => Promise<void>
  send: () => Promise<Step>
}

export function createPushHandler(parts: Parts): PushHandler {
  const { gate, pending, open, states, applyUserRequests, send, wait } = parts
  /** True if a save has arrived since the run last applied the user's requests. */
  const isSaved$ = new BehaviorSubject(false)
  /** The wait at the gate. All runs share it, because each wait would use a trial call of the circuit breaker. */
  let waiting: Promise<void> | null = null
  const gatePassed = () => (waiting ??= gate.passed().finally(() => (waiting = null)))
  const savedBeforeGateOpens$ = race(isSaved$.pipe(filter(Boolean)), defer(gatePassed).pipe(map(() => false)))
  let isFirst = true
  let lastRun: Promise<unknown> = Promise.resolve()
  /** Number of storage errors in a row. */
  let errors = 0

  function enqueue(ref: ChangeRef): void {
    pending.set(ref.id, ref)
    isSaved$.next(true)
  }
  async function decide(): Promise<void> {
    const rows = await states.read([...pending.keys()])
    const requested = [...rows.values()].filter(({ wish }) => wish !== 'none')
    if (requested.length > 0) await applyUserRequests(requested.map(({ id }) => id))
  }
  async function run(): Promise<void> {
    const found = isFirst ? await open() : []
    isFirst = false
    for (const row of found) pending.set(row.id, row)
    for (;;) {
      isSaved$.next(false)
      await decide()
      if (pending.size === 0) return
      if (await firstValueFrom(savedBeforeGateOpens$)) continue
      const step = await send().catch((error: unknown) => {
        gate.failed()
        throw error
      })
      if (step.kind === 'done') return gate.succeeded()
      gate.failed(step.outcome.kind === 'throttled' ? step.outcome.retryAfterMs : 0)
    }
  }
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

/** Returns a function that schedules a run after the current one. Of several only the earliest takes place. */
function createWakeTimer(
  { elapsed, wait, failed }: HandlerParts,
  currentRun: () => Promise<unknown>,
  push: PushHandler['push'],
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
