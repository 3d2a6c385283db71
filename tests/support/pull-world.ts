/** A world for the pull engine: each call, gate and timer ends when the test says so, in any order, well or not. */
import fc from 'fast-check'
import { Subject } from 'rxjs'
import { createInFlight } from '#sync/changes/replications.ts'
import { PullEngine } from '#sync/pull/engine/engine.ts'
import type { EngineParts, Work } from '#sync/pull/engine/work.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'
import type { Outcome } from '#sync/transport/outcome.ts'

export const BROKEN: Outcome = { kind: 'unknown', status: 500 }
const OUTCOMES: readonly Outcome[] = [
  BROKEN,
  { kind: 'unreachable' },
  { kind: 'throttled', status: 429, retryAfterMs: 1_000 },
  { kind: 'unreachable', held: true },
  { kind: 'unauthorized', status: 401 },
]
const NAMES = ['a1', 'a2', 'a3', 'q1', 'q2']

/** What happens next: the numbers choose among what is possible then. */
export interface Choice {
  act: 'end' | 'ring' | 'drop' | 'wait' | 'clear' | 'ask' | 'gate'
  pick: number
  how: number
}
export const choices = fc.array(
  fc.record<Choice>({
    act: fc.constantFrom('end', 'end', 'end', 'ring', 'drop', 'wait', 'clear', 'ask', 'gate'),
    pick: fc.nat(9),
    how: fc.nat(7),
  }),
  { maxLength: 60 },
)

interface Running {
  name: string
  signal: AbortSignal
  end(outcome: Outcome | null): void
}

class WorldPull extends PullEngine<string> {
  private readonly world: PullWorld
  constructor(world: PullWorld, parts: EngineParts) {
    super(parts)
    this.world = world
  }
  protected expired = async () => []
  protected override stillDue = async (docs: readonly string[]) =>
    docs.filter((name) => !this.world.undue.has(name))
  protected async plan() {
    const { open, offered } = this.world
    for (const name of [...open, ...offered]) this.offer(this.world.workOf(name))
    return null
  }
}

export class PullWorld {
  readonly engine: PullEngine<string>
  readonly stop$ = new Subject<void>()
  now = 0
  accepted = 0
  isOpen = true
  running: Running[] = []
  /** What begun, merged, was answered and given, in order. */
  begun: { name: string; at: number }[] = []
  merged: string[] = []
  answered: string[] = []
  given: string[] = []
  errors: unknown[] = []
  readonly open = new Set<string>()
  /** Documents that are not due any more when RxDB asks for them. */
  readonly undue = new Set<string>()
  /** When each read failed by itself last. */
  readonly failed = new Map<string, { at: number; tries: number }>()
  /** Called when a read begins. */
  onBegin: (name: string) => void = () => undefined
  offered: readonly string[] = ['a1', 'a2', 'a3']
  private waits: { at: number; done$: Subject<void> }[] = []
  private passing: (() => void)[] = []
  private isStopped = false

  constructor() {
    this.engine = new WorldPull(this, {
      gate: {
        passed: () =>
          this.isOpen
            ? Promise.resolve()
            : new Promise((pass, stop) => {
                this.passing.push(pass)
                this.stop$.subscribe(() => stop(new Error('stopped')))
              }),
        failed: () => undefined,
        succeeded: () => undefined,
        mayHurry: () => true,
        isBlocked: () => false,
      },
      accepted: () => this.accepted,
      random: () => 0,
      report: () => undefined,
      wake: () => this.engine.recheck(),
      ticks: {
        now: () => this.now,
        after$: (ms) => {
          const done$ = new Subject<void>()
          this.waits.push({ at: this.now + ms, done$ })
          return done$
        },
      },
      inFlight: createInFlight(),
      stop$: this.stop$,
      pacer: { grant: () => true },
      answer: async ({ fetchRequest, state }) => {
        this.answered.push(`${fetchRequest.key} ${state}`)
        if (state === 'answered') this.open.delete(fetchRequest.key)
      },
    })
    this.stop$.subscribe(() => (this.isStopped = true))
  }

  workOf(name: string): Work<string> {
    const isAsked = name.startsWith('q')
    return {
      name,
      priority: isAsked ? 'screen' : 'background',
      ...(isAsked && { fetchRequest: { key: name, askedAt: '' }, replaces: name.replace('q', 'a') }),
      read: ({ signal }) => this.read(name, signal),
      failed: async (_, tries) => {
        if (this.engine.triesOf(name) === tries) this.failed.set(name, { at: this.now, tries })
      },
    }
  }
  private async read(name: string, signal: AbortSignal) {
    this.onBegin(name)
    this.begun.push({ name, at: this.now })
    const outcome = await new Promise<Outcome | null>((end) => this.running.push({ name, signal, end }))
    if (outcome) throw new PullAgain(outcome)
    this.accepted += 1
    return async () => {
      this.merged.push(name)
      this.failed.delete(name)
      return { docs: [name], state: 'answered' as const }
    }
  }

  /** RxDB calls again and again, until the engine has stopped. */
  async calls(): Promise<void> {
    while (!this.isStopped) {
      const docs = await this.engine.handler().catch((error: unknown) => void this.errors.push(error))
      this.given.push(...(docs ?? []))
      // nothing to read: RxDB calls at the next event
      if (docs?.length === 0) await new Promise<void>((ring) => (this.ring = ring))
      await Promise.resolve()
    }
  }
  private ring = () => undefined as void

  /** Everything goes on as far as it can by itself. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }
  async end(pick: number, outcome: Outcome | null): Promise<void> {
    const one = this.running[pick % Math.max(1, this.running.length)]
    this.running = this.running.filter((each) => each !== one)
    one?.end(outcome)
    await this.settle()
  }
  async pass(ms: number): Promise<void> {
    this.now += ms
    const due = this.waits.filter(({ at }) => at <= this.now)
    this.waits = this.waits.filter(({ at }) => at > this.now)
    for (const { done$ } of due) done$.next()
    await this.settle()
  }
  async notify(): Promise<void> {
    this.engine.recheck()
    this.ring()
    await this.settle()
  }
  async setGate(isOpen: boolean): Promise<void> {
    this.isOpen = isOpen
    if (isOpen) for (const pass of this.passing.splice(0)) pass()
    await this.settle()
  }

  async act({ act, pick, how }: Choice): Promise<void> {
    const name = NAMES[pick % NAMES.length] ?? 'a1'
    if (act === 'end') await this.end(pick, OUTCOMES[how] ?? null)
    if (act === 'ring') await this.notify()
    if (act === 'drop') this.engine.drop(name)
    if (act === 'wait') await this.pass(400 * (pick + 1))
    if (act === 'clear' && how === 5) {
      this.engine.clear()
      this.failed.clear()
    }
    if (act === 'ask') this.open.add(how % 2 === 0 ? 'q1' : 'q2')
    if (act === 'gate') await this.setGate(how > 1)
  }

  /** The CRM is well again, RxDB and the timers do their part. */
  async recover(): Promise<void> {
    await this.setGate(true)
    for (let n = 0; n < 12; n++) {
      while (this.running.length > 0 && this.running.some(({ name }) => this.open.has(name)))
        await this.end(0, null)
      await this.pass(600_000)
      await this.notify()
    }
  }
}

/** Runs these acts in a new world, and stops it at the end. */
export async function inWorld(
  acts: readonly Choice[],
  check: (world: PullWorld) => Promise<void> | void,
  each: (world: PullWorld) => void = () => undefined,
): Promise<void> {
  const world = new PullWorld()
  const end = world.calls()
  try {
    await world.settle()
    for (const one of acts) {
      await world.act(one)
      each(world)
    }
    await check(world)
  } finally {
    world.stop$.next()
    await world.notify()
    await end
  }
}
