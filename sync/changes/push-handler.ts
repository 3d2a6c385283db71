/**
 * What RxDB's push gives of one collection: it is remembered until it is done, and sent once the gate lets calls through. The
 * same for changes of records (`sender.ts`) and for photos (`photos/photo-sender.ts`), which differ in how they decide and send.
 *
 *     push(rows) ─→ given ─→ decide ─→ gate ─→ send ─┬─ all have ended, or are left ─→ RxDB may give the next
 *                              ↑                     └─ in the way of all ─┐
 *                              └────────── waits, unless something new was written
 *
 * Invariants: what was given and is not done is in `given`; the first call has all that is open on the device, so that it does
 * not matter where RxDB's checkpoint is (trap 3) nor what a killed handler had left. Saves made meanwhile end a wait: RxDB
 * gives them with the next call, which goes through all of it anew.
 */
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { GateClosed, type Gate } from '#sync/scheduler/gate.ts'
import type { Place } from './change-store.ts'
import type { Step } from './send-queue.ts'

export interface PushHandler {
  /** RxDB's push gives these. Resolves once each of them has ended, or is left. */
  push(rows: readonly Place[]): Promise<void>
  /** What is open on the device is gone through, wherever RxDB's checkpoint is (RULES trap 3). */
  start(): void
  /** Something was saved or decided: it is gone through with what is left, also before RxDB has given it. */
  wrote(place: Place): void
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
  /** Carries out what the user has decided of what was given: it needs no signal. */
  decide: () => Promise<void>
  /** Goes through what was given. */
  send: () => Promise<Step>
}

/** RxDB's own next call comes before it. */
const SOON_MS = 20

/** The handler of a collection's push. `wake`: what is left is gone through again after so long. */
export function createPushHandler(parts: Parts): PushHandler & { wake(ms: number): void } {
  const { gate, given, open, decide, send } = parts
  const news = createNews()
  const passed = oneWait(gate)
  let isFirst = true
  let turn: Promise<unknown> = Promise.resolve()
  const wake = createWakes(parts, { before: () => turn, run: () => push([]) })

  async function take(rows: readonly Place[]): Promise<void> {
    const found = isFirst ? await open() : []
    isFirst = false
    // a save that came back from 封印中 may be older than what is left (RULES OR1)
    for (const row of [...found, ...rows, ...news.taken()]) given.set(row.id, row)
  }

  async function run(rows: readonly Place[]): Promise<void> {
    await take(rows)
    for (;;) {
      await decide()
      if (given.size === 0) return
      // what was saved meanwhile comes with the next call, and all that is left with it
      if (await news.before(passed())) return wake(SOON_MS)
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
    // a call before it that waits makes room
    for (const row of rows) news.wrote(row)
    const own = turn.then(() => runAgain(rows))
    turn = own.catch(() => undefined)
    return own
  }
  return { push, start: () => wake(0), wrote: news.wrote, wake }
}

/** RxDB calls again at once: what the device refuses is written again after a back-off (RULES ST4). */
function afterRefusals({ wait }: HandlerParts, run: (rows: readonly Place[]) => Promise<void>) {
  /** So often in a row the handler broke off. */
  let refusals = 0
  return async (rows: readonly Place[]): Promise<void> => {
    if (refusals > 0) await wait(Math.min(RETRY_FIRST_MS * 2 ** (refusals - 1), RETRY_MAX_MS))
    try {
      await run(rows)
      refusals = 0
    } catch (error) {
      if (!(error instanceof GateClosed)) refusals += 1
      throw error
    }
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

/** What was written since the handler was called. */
function createNews() {
  let written: Place[] = []
  let told: () => void = () => undefined
  return {
    wrote(place: Place) {
      written.push(place)
      told()
    },
    taken(): readonly Place[] {
      const all = written
      written = []
      return all
    },
    /** @returns whether something is written before this resolves; it is asked for once */
    async before(wait: Promise<void>): Promise<boolean> {
      const isFirst = new Promise<boolean>((resolve) => (told = () => resolve(true)))
      if (written.length > 0) told()
      return Promise.race([isFirst, wait.then(() => false)])
    },
  }
}

interface Run {
  /** The call under way. */
  before: () => Promise<unknown>
  run: () => Promise<void>
}

/** What is left is gone through again after a while: one timer, the earliest, and one call that has not begun. */
function createWakes({ elapsed, wait, failed }: HandlerParts, { before, run }: Run) {
  let next = Infinity
  const after = (ms: number): void => {
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
      after(RETRY_MAX_MS)
    })
  }
  return after
}
