/**
 * The pull engine reads the records of one resource from the CRM (decisions/pull). RxDB calls `handler` repeatedly. A call
 * returns what has arrived and waits for no particular read, so that a slow read delays no other (RULES PL9):
 *
 *     RxDB calls ─→ ready documents │ error │ gate ─→ plan, in which the resource offers reads ─→ wait until a read ends ─→ …
 *     read ─→ merged ─→ the screen's fetch request is answered ─→ its documents are ready
 *         └─→ failed ─┬─ other reads succeed ─→ only this read waits, for its back-off
 *                     └─ perhaps the CRM is down ─→ the gate closes, RxDB gets the error
 *
 * A call of RxDB waits at the gate while the CRM does not answer (`PullGate`). Meanwhile, only reads for a screen begin.
 */
import { BehaviorSubject, Subject, filter, firstValueFrom, switchMap, takeUntil, type Observable } from 'rxjs'
import { TICKS, type Ticks } from '#sync/lib/backoff.ts'
import { passedOr } from '#sync/retention/expiry.ts'
import { PullAgain, isWaiting, troubleAfter, type Trouble } from '#sync/scheduler/read-backoff.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { LANES, type EngineParts, type Work } from './work.ts'

/** A running read. `acceptedBefore`: number of calls that the CRM had accepted when the read began. */
interface Read<D> {
  work: Work<D>
  /** Aborted if nobody needs the read any more. An aborted read keeps its place until its call ends. */
  controller: AbortController
  begunAt: number
  acceptedBefore: number
}

/** Ten tries take about eight minutes. */
const FETCH_TRIES_MAX = 10

/** A resource extends the engine with what it plans and removes. */
export abstract class PullEngine<D, P extends EngineParts = EngineParts> {
  protected readonly parts: P
  private readonly ticks: Ticks
  private readonly ready: ReturnType<typeof createReadyDocs<D>>
  private readonly running = new Set<Read<D>>()
  /** The failures of reads that have not succeeded since, by name. */
  private readonly troubles = new Map<string, Trouble>()
  /** True if another read may have become possible since the last plan. */
  private readonly isDue$ = new BehaviorSubject(false)
  private readonly retryIn$ = new Subject<number>()
  private isGateClosed = false
  private isStopped = false
  /** The wait at the gate, which may last longer than one call of RxDB. */
  private passing: Promise<readonly D[]> | null = null

  constructor(parts: P) {
    const { stop$, ticks = TICKS } = parts
    this.parts = parts
    this.ticks = ticks
    this.ready = createReadyDocs<D>(ticks, stop$, this.isBusy, this.recheck)
    const retry$ = this.retryIn$.pipe(switchMap((ms) => ticks.after$(ms)))
    retry$.pipe(takeUntil(stop$)).subscribe(() => this.wake())
    stop$.subscribe(() => {
      this.isStopped = true
      this.recheck()
    })
  }

  /**
   * Offers the reads that may begin, most urgent first; only those of a screen begin unless the gate `isOpen`.
   * @returns documents that need no call; null if nothing is left to plan, [] if it must be planned again
   */
  protected abstract plan(isOpen: boolean): Promise<readonly D[] | null>

  /** Removals that need no call (RULES EX1). Called while no read is running, or while the gate is closed. */
  protected abstract expired(): Promise<D[]>

  /** Returns `docs` without removals that are not due any more. On a full device, a removal waits long for its write. */
  protected stillDue = (docs: readonly D[]): Promise<readonly D[]> => Promise.resolve(docs)

  /** RxDB's handler, called again after the last call has ended. @throws the error of a read that affects all reads */
  handler = async (): Promise<D[]> => {
    const { isDue$, ready } = this
    this.isGateClosed = false
    while (!this.isStopped) {
      const arrived = await this.stillDue(ready.take())
      if (arrived.length > 0) return [...arrived]
      // The plan below covers all changes so far. Only a later change ends the wait at the gate.
      if (!this.isGateClosed) isDue$.next(false)
      const removed = await this.passed()
      if (this.isStopped) break
      if (removed && removed.length > 0) return [...removed]
      this.isGateClosed = removed === null
      const docs = await this.planned()
      if (docs && docs.length > 0) return [...docs]
      const isOver = !this.isGateClosed && docs === null && !ready.isAny() && !isDue$.value
      if (isOver && !this.isBusy()) return this.parts.inFlight.run(() => this.expired())
      if (isOver) await this.changed()
    }
    throw new GateClosed('sync stopped')
  }

  recheck = () => this.isDue$.next(true)

  /** Makes RxDB call the handler at the end of a back-off. */
  protected wake(): void {
    this.parts.wake()
  }

  /** Begins a read if it is admitted. @returns false if the read did not begin; it is not queued */
  offer(work: Work<D>): boolean {
    if (!this.isAdmitted(work)) return false
    const { inFlight, accepted } = this.parts
    if (work.replaces !== undefined) this.drop(work.replaces)
    const begun = { begunAt: this.ticks.now(), acceptedBefore: accepted() }
    const read: Read<D> = { work, controller: new AbortController(), ...begun }
    this.running.add(read)
    void inFlight.run(async () => {
      try {
        this.ready.add(await this.docsOf(read), work.priority)
      } catch (error) {
        if (!read.controller.signal.aborted) this.ready.fail(error)
      }
      this.running.delete(read)
      this.recheck()
    })
    return true
  }

  drop(name: string): void {
    for (const { work, controller } of this.needed()) if (work.name === name) controller.abort()
  }

  /** Ends all back-offs. `tries` becomes 1 and not 0, so that failed fetch requests are still retried (RULES PL8). */
  clear(): void {
    for (const [name, trouble] of this.troubles)
      this.troubles.set(name, { ...trouble, tries: 1, isOwn: false })
  }

  free = (lane: Work<D>['priority']): number =>
    LANES[lane] - [...this.running].filter(({ work }) => work.priority === lane).length

  isBusy = (): boolean => this.needed().length > 0

  /** True if a read of this name is running, or a screen's read that replaces it. */
  isCovered = (name: string): boolean =>
    this.isUnderWay(name) || [...this.running].some(({ work }) => work.replaces === name)

  /** True if the read of this name is neither running nor backing off. */
  mayStart = (name: string): boolean =>
    !this.isUnderWay(name) && !isWaiting(this.troubles.get(name), this.ticks.now())

  /** True if the read of this name failed although others succeed, and is not running now. */
  hasOwnFailure = (name: string): boolean => this.troubles.get(name)?.isOwn === true && !this.isUnderWay(name)

  triesOf = (name: string): number => this.troubles.get(name)?.tries ?? 0

  /** True if a fetch request that was answered as failed will be tried again. */
  isStillTried = (name: string): boolean => this.triesOf(name) > 0 && this.triesOf(name) < FETCH_TRIES_MAX

  private needed = () => [...this.running].filter(({ controller }) => !controller.signal.aborted)
  private isUnderWay = (name: string) => this.needed().some(({ work }) => work.name === name)

  private isAdmitted({ name, priority, isPaced }: Work<D>): boolean {
    const { gate, pacer } = this.parts
    if (this.isStopped || this.free(priority) <= 0 || !this.mayStart(name)) return false
    if (this.isGateClosed) return priority === 'screen' && !this.troubles.has(name) && gate.mayHurry()
    return !isPaced || pacer.grant()
  }

  /** Reads, merges, and answers the screen's fetch request. @throws the error that RxDB gets */
  private async docsOf(read: Read<D>): Promise<readonly D[]> {
    const { name, priority, fetchRequest, read: readNow } = read.work
    const { signal } = read.controller
    try {
      const merge = await readNow({ priority: priority === 'local' ? 'background' : priority, signal })
      if (this.isStopped) return []
      const { docs, state, total = 0 } = await merge()
      this.troubles.delete(name)
      if (fetchRequest && state && !this.isStopped) await this.parts.answer({ fetchRequest, state, total })
      return docs
    } catch (error) {
      if (!(error instanceof PullAgain)) throw error
      if (!(await this.isOwnTrouble(read, error.outcome))) throw error
      return []
    }
  }

  /** Handles a read that got no usable answer. @returns true if only this read is affected */
  private async isOwnTrouble(read: Read<D>, outcome: Outcome): Promise<boolean> {
    const { gate, accepted, answer, random, report } = this.parts
    const { begunAt, acceptedBefore, work } = read
    const { name, fetchRequest } = work
    // The session or the circuit stopped the call, so that the read itself has not failed.
    if (outcome.kind === 'unauthorized' || (outcome.kind === 'unreachable' && outcome.held === true)) {
      if (!gate.isBlocked()) gate.failed(0, begunAt)
      return false
    }
    const previous = this.troubles.get(name)
    const failure = { now: this.ticks.now(), random: random(), outcome, acceptedBefore, accepted: accepted() }
    const trouble = troubleAfter(previous, failure)
    this.troubles.set(name, trouble)
    if (outcome.kind === 'throttled') gate.failed(outcome.retryAfterMs, begunAt)
    else if (!trouble.isOwn) gate.failed(0, begunAt)
    if (trouble.isOwn && !previous?.isOwn)
      report(`${name}: ${'status' in outcome ? outcome.status : outcome.kind}`)
    if (this.isStopped) return trouble.isOwn
    // Without any answer of the CRM a later try may still succeed, so the screen goes on waiting.
    if (fetchRequest && outcome.kind === 'unknown') await answer({ fetchRequest, state: 'failed', total: 0 })
    await work.failed?.(outcome, trouble.tries)
    return trouble.isOwn
  }

  private changed = () => firstValueFrom(this.isDue$.pipe(filter(Boolean)))

  /** @returns documents that expired while the gate was closed; null if the gate is still closed and a plan is due */
  private async passed(): Promise<readonly D[] | null> {
    const { gate, inFlight } = this.parts
    this.passing ??= passedOr(gate, () => inFlight.run(() => this.expired()))
    // Prevents an unhandled rejection while no call of RxDB waits.
    this.passing.catch(() => undefined)
    let isOver = true
    try {
      const docs = await Promise.race([this.passing, this.changed().then(() => null)])
      isOver = docs !== null
      return docs
    } finally {
      if (isOver) this.passing = null
    }
  }

  private async planned(): Promise<readonly D[] | null> {
    const { inFlight } = this.parts
    this.isDue$.next(false)
    const docs = await inFlight.run(() => this.plan(!this.isGateClosed))
    const waits = [...this.troubles.values()].filter((trouble) => isWaiting(trouble, this.ticks.now()))
    // A timer may fire slightly early. Then the next plan sets it again.
    if (waits.length > 0)
      this.retryIn$.next(Math.min(...waits.map(({ notBefore }) => notBefore)) + 1 - this.ticks.now())
    return docs
  }
}

/** Documents per call of RxDB. RxDB writes them at once and notifies all queries, so more would delay the screen. */
export const DOCS_PER_CALL = 100
/** How long the documents of background reads are collected (ms), and from which number on they are written at once. */
const GATHER_MS = 1_000
export const GATHERED_MAX = 25

/** The documents and errors for RxDB. `isBusy`: a read is running, so documents wait for more, until `recheck`. */
export function createReadyDocs<D>(
  ticks: Ticks,
  stop$: Observable<unknown>,
  isBusy: () => boolean,
  recheck: () => void,
) {
  const docs: D[] = []
  const failures: unknown[] = []
  let isGathering = false
  const gather$ = new Subject<void>()
  const gathered$ = gather$.pipe(switchMap(() => ticks.after$(GATHER_MS)))
  gathered$.pipe(takeUntil(stop$)).subscribe(() => {
    isGathering = false
    recheck()
  })
  const areReady = () => docs.length > 0 && !(isGathering && docs.length < GATHERED_MAX && isBusy())
  return {
    isAny: () => areReady() || failures.length > 0,
    /** @returns the documents for RxDB. @throws the first error, and forgets the others */
    take(): D[] {
      if (areReady()) {
        isGathering = false
        return docs.splice(0, DOCS_PER_CALL)
      }
      if (failures.length > 0) throw failures.splice(0)[0]
      return []
    },
    /** Documents that a screen waits for are passed on at once, together with those that were waiting. */
    add(more: readonly D[], priority: string): void {
      if (more.length === 0) return
      if (priority === 'screen' || priority === 'window') isGathering = false
      else if (docs.length === 0) {
        isGathering = true
        gather$.next()
      }
      docs.push(...more)
    },
    fail: (error: unknown) => void failures.push(error),
  }
}
