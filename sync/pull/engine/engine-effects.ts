/**
 * Runs the pull engine's commands, except those of reads: passing the gate, planning, answering RxDB's call,
 * timers (decisions/pull).
 */
import { Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import { passedOr } from '#sync/retention/expiry.ts'
import { TICKS } from '#sync/lib/ticks.ts'
import { createReadEffects } from './engine-read-effects.ts'
import type { Command, PullEvent } from './engine-state.ts'
import type { EngineParts, PullAdapter } from './engine-work.ts'

/** How long documents of background reads are collected, so that RxDB writes those of several reads at once. */
const GATHER_MS = 1_000

/** A call of RxDB that waits for documents. */
export interface Caller<D> {
  resolve(docs: D[]): void
  reject(error: unknown): void
}

/** Creates the event that ends an effect: `ok` after success, `broke` after an error. */
interface Ends<T, D> {
  ok(value: T): PullEvent<D>
  broke(error: unknown): PullEvent<D>
}

/** How the effects report to the engine. */
interface EngineCallbacks<D> {
  dispatch(event: PullEvent<D>): void
  /** Ends RxDB's oldest waiting call; `end` gets undefined if none waits. */
  answerCaller(end: (caller: Caller<D> | undefined) => void): void
}

/**
 * Returns a function that sets the timer to a time on the clock of `ticks`. A browser's timer may fire
 * slightly early, when nothing is due yet; then the timer waits for the rest, because it fires only once.
 */
function createTimer({ ticks = TICKS, stop$ }: EngineParts, run: () => void): (at: number) => void {
  const at$ = new Subject<number>()
  const dueAt$ = (at: number): Observable<unknown> =>
    ticks.after$(Math.max(0, at - ticks.now())).pipe(switchMap(() => (ticks.now() < at ? dueAt$(at) : [at])))
  at$.pipe(switchMap(dueAt$), takeUntil(stop$)).subscribe(run)
  return (at) => at$.next(at)
}

export function createEngineEffects<D>(
  parts: EngineParts,
  adapter: PullAdapter<D>,
  engine: EngineCallbacks<D>,
) {
  const { gate, pacer, inFlight, report, wake, ticks = TICKS } = parts
  const { dispatch } = engine
  const reads = createReadEffects(parts, dispatch)
  const wakeAt = createTimer(parts, wake)
  const gatherUntil = createTimer(parts, () => dispatch({ kind: 'gathered' }))

  function run(command: Command<D>): void {
    switch (command.kind) {
      case 'pass':
        return dispatchEnd(
          passedOr(gate, () => inFlight.run(adapter.expired)),
          {
            ok: (expired) => ({ kind: 'passed', expired }),
            broke: (error) => ({ kind: 'gateBroke', error }),
          },
        )
      case 'plan':
        return dispatchEnd(
          inFlight.run(() => adapter.plan(command.isOpen)),
          {
            ok: (docs) => ({ kind: 'planned', docs }),
            broke: (error) => ({ kind: 'planBroke', error }),
          },
        )
      case 'ask': {
        const isAllowed = command.of === 'hurry' ? gate.mayHurry() : !pacer || pacer.grant(1) > 0
        if (isAllowed)
          dispatch({ kind: 'granted', task: command.task, now: ticks.now(), accepted: parts.accepted() })
        return
      }
      case 'report':
        return report(command.problem)
      case 'close':
        return gate.failed(command.retryAfterMs, command.begunAt)
      case 'wake':
        return wakeAt(command.at)
      case 'gather':
        return gatherUntil(ticks.now() + GATHER_MS)
      case 'give':
        return engine.answerCaller((caller) => caller?.resolve([...command.docs]))
      case 'throw':
        return engine.answerCaller((caller) => caller?.reject(command.error))
      default:
        return reads.run(command)
    }
  }
  const dispatchEnd = <T>(end: Promise<T>, { ok, broke }: Ends<T, D>): void =>
    void end.then(
      (value) => dispatch(ok(value)),
      (error: unknown) => dispatch(broke(error)),
    )
  return { run, offered: reads.offered }
}
