/** The effects of the pull engine: the gate, the plan, the pace, RxDB's call, the timer (decisions/pull). */
import { Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import { passedOr } from '#sync/retention/expiry.ts'
import { TICKS } from '#sync/lib/ticks.ts'
import { createReadEffects } from './engine-read-effects.ts'
import type { Command, PullEvent } from './engine-state.ts'
import type { EngineParts, PullAdapter } from './engine-work.ts'

/** How long documents of background reads wait, so that RxDB writes several reads together. */
const GATHER_MS = 1_000

/** A call of RxDB that waits for documents. */
export interface Caller<D> {
  resolve(docs: D[]): void
  reject(error: unknown): void
}

/** The events that an effect ends with. */
interface Ends<T, D> {
  ok(value: T): PullEvent<D>
  broke(error: unknown): PullEvent<D>
}

/** How the effects report to the engine. */
interface EngineCallbacks<D> {
  tell(event: PullEvent<D>): void
  /** Answers RxDB's call. */
  ended(end: (caller: Caller<D> | undefined) => void): void
}

/**
 * Returns a function that sets the timer to a time of `ticks`. A browser's timer may fire slightly early;
 * nothing would be due yet, and nobody would check again. So it then waits for the rest.
 */
function createTimer({ ticks = TICKS, stop$ }: EngineParts, run: () => void): (at: number) => void {
  const at$ = new Subject<number>()
  const come$ = (at: number): Observable<unknown> =>
    ticks.after$(Math.max(0, at - ticks.now())).pipe(switchMap(() => (ticks.now() < at ? come$(at) : [at])))
  at$.pipe(switchMap(come$), takeUntil(stop$)).subscribe(run)
  return (at) => at$.next(at)
}

export function createEngineEffects<D>(
  parts: EngineParts,
  adapter: PullAdapter<D>,
  engine: EngineCallbacks<D>,
) {
  const { gate, pacer, inFlight, report, wake, ticks = TICKS } = parts
  const { tell } = engine
  const reads = createReadEffects(parts, tell)
  const wakeAt = createTimer(parts, wake)
  const gatherUntil = createTimer(parts, () => tell({ kind: 'gathered' }))

  function run(command: Command<D>): void {
    switch (command.kind) {
      case 'pass':
        return heard(
          passedOr(gate, () => inFlight.run(adapter.expired)),
          {
            ok: (gone) => ({ kind: 'passed', gone }),
            broke: (error) => ({ kind: 'gateBroke', error }),
          },
        )
      case 'plan':
        return heard(
          inFlight.run(() => adapter.plan(command.isOpen)),
          {
            ok: (docs) => ({ kind: 'planned', docs }),
            broke: (error) => ({ kind: 'planBroke', error }),
          },
        )
      case 'ask': {
        const isLet = command.of === 'hurry' ? gate.mayHurry() : !pacer || pacer.grant(1) > 0
        if (isLet) tell({ kind: 'granted', task: command.task, now: ticks.now(), accepted: parts.accepted() })
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
        return engine.ended((caller) => caller?.resolve([...command.docs]))
      case 'throw':
        return engine.ended((caller) => caller?.reject(command.error))
      default:
        return reads.run(command)
    }
  }
  const heard = <T>(end: Promise<T>, { ok, broke }: Ends<T, D>): void =>
    void end.then(
      (value) => tell(ok(value)),
      (error: unknown) => tell(broke(error)),
    )
  return { run, offered: reads.offered }
}
