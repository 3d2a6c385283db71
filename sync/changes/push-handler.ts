/**
 * The push handler of one collection: it remembers what RxDB passes on until it is settled, and sends it once the
 * gate opens. Changes of records (`sender.ts`) and photos (`photos/photo-sender.ts`) share it.
 *
 *     push(rows) ─→ pending ─→ decide ─→ gate ─→ send ─┬─ all settled or skipped ─→ resolves, RxDB may push again
 *                                ↑                     └─ everything is blocked ─┐
 *                                └───────── waits for the gate or a new save ────┘
 *
 * Invariants: everything that was pushed and is not settled is in `pending`. The first run includes all open items on
 * the device, so RxDB's checkpoint (trap 3) and a killed handler do not matter. An item saved during a wait joins
 * that run, and RxDB pushes it again with the next one (trap 25).
 */
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import type { ChangeRef } from './change-store.ts'
import type { Step } from './send-queue.ts'
import type { SendStates } from './send-states.ts'

export interface PushHandler {
  /** Called by RxDB's push. Resolves once each of these is settled or skipped. */
  push(rows: readonly ChangeRef[]): Promise<void>
  /**
   * Starts a run for the pending items after this many milliseconds, independent of RxDB's checkpoint (RULES trap 3).
   */
  wake(ms: number): void
  /** An item was saved, or the user decided about it: it joins the current run before RxDB pushes it. */
  enqueue(ref: ChangeRef): void
  /** Applies the user's pending 再送 and 破棄 requests. Needs no connection. */
  decide(): Promise<void>
}

/** The clocks of a handler, and its error reporting. */
export interface HandlerParts {
  /** Milliseconds of a monotonic clock. */
  elapsed: () => number
  /** Resolves after this many milliseconds. @throws GateClosed if sync stops first */
  wait: (ms: number) => Promise<void>
  /** Receives storage errors that no caller waits for. */
  failed: (error: unknown) => void
}

interface Parts extends HandlerParts {
  gate: Gate
  /** Items that were pushed and are not settled, by id. */
  pending: Map<string, ChangeRef>
  /** All open items on the device. Called once. */
  open: () => Promise<readonly ChangeRef[]>
  states: Pick<SendStates, 'read'>
  /** Applies the user's requests for these items. */
  applyUserRequests: (ids: readonly string[]) => Promise<void>
  /** Sends the pending items. */
  send: () => Promise<Step>
}

/** Creates the push handler of a collection. */
export function createPushHandler(parts: Parts): PushHandler {
  const { gate, pending, open, states, applyUserRequests, send } = parts
  const wakeSignal = createWakeSignal()
  const gatePassed = sharedWait(gate)
  let isFirst = true
  let lastRun: Promise<unknown> = Promise.resolve()
  const wake = createWakeTimer(parts, { previousRun: () => lastRun, run: () => push([]) })

  function enqueue(ref: ChangeRef): void {
    pending.set(ref.id, ref)
    wakeSignal.notify()
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
      wakeSignal.reset()
      await decide()
      if (pending.size === 0) return
      if (await wakeSignal.firesBefore(gatePassed())) continue
      const step = await send().catch((error: unknown) => {
        // an error of the device's storage is not retried at once either
        gate.failed()
        throw error
      })
      if (step.kind === 'done') return gate.succeeded()
      gate.failed(step.outcome.kind === 'throttled' ? step.outcome.retryAfterMs : 0)
    }
  }
  const runAgain = withBackoff(parts, run)
  function push(rows: readonly ChangeRef[]): Promise<void> {
    for (const row of rows) enqueue(row)
    const current = lastRun.then(runAgain)
    lastRun = current.catch(() => undefined)
    return current
  }
  return { push, wake, enqueue, decide }
}

/** RxDB calls a failed handler again at once, so storage errors are followed by a back-off (RULES ST4). */
function withBackoff({ wait }: HandlerParts, run: () => Promise<void>): () => Promise<void> {
  /** Number of storage errors in a row. */
  let errors = 0
  return async () => {
    if (errors > 0) await wait(Math.min(RETRY_FIRST_MS * 2 ** (errors - 1), RETRY_MAX_MS))
    try {
      await run()
      errors = 0
    } catch (error) {
      if (!(error instanceof GateClosed)) errors += 1
      throw error
    }
  }
}

interface Run {
  /** The current run, which must end first. */
  previousRun: () => Promise<unknown>
  run: () => Promise<void>
}

/** At most one timer, the earliest, and one run that has not begun. */
function createWakeTimer({ elapsed, wait, failed }: HandlerParts, { previousRun, run }: Run) {
  let next = Infinity
  return function wake(ms: number): void {
    const at = elapsed() + ms
    if (at >= next) return
    next = at
    const fire = async () => {
      await wait(ms)
      await previousRun()
      if (next === at) next = Infinity
      await run()
    }
    fire().catch((error: unknown) => {
      if (error instanceof GateClosed) return
      failed(error)
      wake(RETRY_MAX_MS)
    })
  }
}

/**
 * Shares one wait at the gate between successive runs: separate waits would each use a trial of the circuit breaker.
 */
function sharedWait(gate: Gate): () => Promise<void> {
  let waiting: Promise<void> | null = null
  return () => {
    waiting ??= gate.passed().finally(() => (waiting = null))
    return waiting
  }
}

/** Signals that an item was saved since the last reset. */
function createWakeSignal() {
  let isSet = false
  let fire: () => void = () => undefined
  return {
    notify() {
      isSet = true
      fire()
    },
    reset: () => void (isSet = false),
    /** @returns true if an item is saved before `wait` resolves. One caller at a time. */
    async firesBefore(wait: Promise<void>): Promise<boolean> {
      const fired = new Promise<boolean>((resolve) => (fire = () => resolve(true)))
      if (isSet) fire()
      return Promise.race([fired, wait.then(() => false)])
    },
  }
}
