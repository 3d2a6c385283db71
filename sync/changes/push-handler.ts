/**
 * What RxDB's push gives of one collection: it is remembered until it is done, and sent once the gate lets calls through. The
 * same for changes of records (`sender.ts`) and for photos (`photos/photo-sender.ts`).
 *
 *     push(rows) ─→ given ─→ decide ─→ gate ─→ send ─┬─ all have ended, or are left ─→ RxDB may give the next
 *                              ↑                     └─ in the way of all ─┐
 *                              └────────── waits, until something is written
 *
 * Invariants: what was given and is not done is in `given`; the first call has all that is open on the device, so that it does
 * not matter where RxDB's checkpoint is (trap 3) nor what a killed handler had left. What is saved or decided meanwhile joins a
 * call that waits; RxDB gives it again with the next one (trap 25).
 */
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { GateClosed, type Gate } from '#sync/scheduler/gate.ts'
import type { Place } from './change-store.ts'
import type { Step } from './send-queue.ts'
import type { SendStates } from './send-states.ts'

export interface PushHandler {
  /** RxDB's push gives these. Resolves once each of them has ended, or is left. */
  push(rows: readonly Place[]): Promise<void>
  /** What is open on the device, or is left, is gone through after so long, wherever RxDB's checkpoint is (RULES trap 3). */
  wake(ms: number): void
  /** Something was saved or decided: it is gone through with what is left, also before RxDB has given it. */
  wrote(place: Place): void
  /** Carries out what the user has decided of what was given: it needs no signal. */
  decide(): Promise<void>
}

/** The clocks of a handler, and who learns of its trouble. */
export interface HandlerParts {
  /** Milliseconds, by a clock that nobody sets. */
  elapsed: () => number
  /** Resolves after so long. @throws GateClosed when sync stops meanwhile */
  wait: (ms: number) => Promise<void>
  /** Told of what the device refuses while nobody waits for it. */
  failed: (error: unknown) => void
}

interface Parts extends HandlerParts {
  gate: Gate
  /** What was given and is not done. */
  given: Map<string, Place>
  /** All that is open on the device: asked once. */
  open: () => Promise<readonly Place[]>
  states: Pick<SendStates, 'read'>
  /** Carries out what the user has decided of these. */
  grant: (ids: readonly string[]) => Promise<void>
  /** Goes through what was given. */
  send: () => Promise<Step>
}

/** The handler of a collection's push. */
export function createPushHandler(parts: Parts): PushHandler {
  const { gate, given, open, states, grant, send } = parts
  const news = createNews()
  const passed = oneWait(gate)
  let isFirst = true
  let turn: Promise<unknown> = Promise.resolve()
  const wake = createWakes(parts, { before: () => turn, run: () => push([]) })

  function wrote(place: Place): void {
    given.set(place.id, place)
    news.heard()
  }
  async function decide(): Promise<void> {
    const rows = await states.read([...given.keys()])
    const wished = [...rows.values()].filter(({ wish }) => wish !== 'none')
    if (wished.length > 0) await grant(wished.map(({ id }) => id))
  }
  async function run(): Promise<void> {
    const found = isFirst ? await open() : []
    isFirst = false
    for (const row of found) given.set(row.id, row)
    for (;;) {
      news.forget()
      await decide()
      if (given.size === 0) return
      if (await news.before(passed())) continue
      const step = await send().catch((error: unknown) => {
        // the device's own storage is in the way: that, too, is not tried again at once
        gate.failed()
        throw error
      })
      if (step.kind === 'done') return gate.succeeded()
      gate.failed(step.outcome.kind === 'throttled' ? step.outcome.retryAfterMs : 0)
    }
  }
  const runAgain = afterRefusals(parts, run)
  function push(rows: readonly Place[]): Promise<void> {
    for (const row of rows) wrote(row)
    const own = turn.then(runAgain)
    turn = own.catch(() => undefined)
    return own
  }
  return { push, wake, wrote, decide }
}

/** RxDB calls again at once: what the device refuses is written again after a back-off (RULES ST4). */
function afterRefusals({ wait }: HandlerParts, run: () => Promise<void>): () => Promise<void> {
  /** So often in a row the device refused something. */
  let refusals = 0
  return async () => {
    if (refusals > 0) await wait(Math.min(RETRY_FIRST_MS * 2 ** (refusals - 1), RETRY_MAX_MS))
    try {
      await run()
      refusals = 0
    } catch (error) {
      if (!(error instanceof GateClosed)) refusals += 1
      throw error
    }
  }
}

interface Run {
  /** The call under way. */
  before: () => Promise<unknown>
  run: () => Promise<void>
}

/** One timer, the earliest, and one call that has not begun. */
function createWakes({ elapsed, wait, failed }: HandlerParts, { before, run }: Run) {
  let next = Infinity
  return function wake(ms: number): void {
    const at = elapsed() + ms
    if (at >= next) return
    next = at
    const come = async () => {
      await wait(ms)
      await before()
      if (next === at) next = Infinity
      await run()
    }
    come().catch((error: unknown) => {
      if (error instanceof GateClosed) return
      failed(error)
      wake(RETRY_MAX_MS)
    })
  }
}

/** Whoever ends waiting leaves the wait to who comes next: each would take a turn at the circuit. */
function oneWait(gate: Gate): () => Promise<void> {
  let waiting: Promise<void> | null = null
  return () => {
    waiting ??= gate.passed().finally(() => (waiting = null))
    return waiting
  }
}

/** Whether something was written since it was last gone through. */
function createNews() {
  let isNews = false
  let told: () => void = () => undefined
  return {
    heard() {
      isNews = true
      told()
    },
    forget: () => void (isNews = false),
    /** @returns whether something is written before this resolves; it is asked for once */
    async before(wait: Promise<void>): Promise<boolean> {
      const isFirst = new Promise<boolean>((resolve) => (told = () => resolve(true)))
      if (isNews) told()
      return Promise.race([isFirst, wait.then(() => false)])
    },
  }
}
