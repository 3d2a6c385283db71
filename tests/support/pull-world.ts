/** A world for the pull engine's step: every effect ends when the test says so, in any order, well or not. */
import fc from 'fast-check'
import type { Interest } from '#schemas/device/interest.ts'
import {
  admissionOf,
  startState,
  triesOf,
  type Command,
  type PullEvent,
  type PullState,
  type Task,
} from '#sync/pull/engine/engine-state.ts'
import { isInconclusive, step } from '#sync/pull/engine/engine-step.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'
import { mergeHow, NO_PAGES, type MergeHow, type Page } from '#sync/pull/engine/snapshot.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { FetchAnswer } from '#sync/storage/fetch-requests.ts'

const LANES = { asked: Infinity, background: 2 }

const fetchRequest = (name: string): Interest => ({
  key: name,
  kind: 'detail',
  askedAt: '2026-11-20T09:00:00.000+09:00',
  state: 'asked',
  answeredAt: '',
  total: 0,
})
export const taskOf = (name: string): Task =>
  name.startsWith('q')
    ? {
        name,
        lane: 'asked',
        isForScreen: true,
        fetchRequest: fetchRequest(name),
        replaces: name.replace('q', 'a'),
      }
    : { name, lane: 'background', isPaced: name === 'a2', isGathered: name !== 'a3' }

/** What happens next: the numbers choose among what is possible then. */
export type Choice = {
  act: 'turn' | 'gate' | 'plan' | 'end' | 'ring' | 'drop' | 'wait' | 'clear'
  pick: number
  how: number
}
export const choices = fc.array(
  fc.record({
    act: fc.constantFrom('turn', 'gate', 'plan', 'end', 'end', 'ring', 'drop', 'wait', 'clear' as const),
    pick: fc.nat(9),
    how: fc.nat(5),
  }) as fc.Arbitrary<Choice>,
  { maxLength: 120 },
)

export const OUTCOMES: readonly Outcome[] = [
  { kind: 'unknown', status: 500 },
  { kind: 'unreachable' },
  { kind: 'throttled', status: 429, retryAfterMs: 1_000 },
  { kind: 'unreachable', held: true },
  { kind: 'unauthorized', status: 401 },
]
const NAMES = ['a1', 'a2', 'a3', 'q1', 'q2']

/** What is to be done next of a read, as `engine.ts` does it. */
export type Stage =
  | { kind: 'read'; id: number; task: Task }
  | { kind: 'merge'; id: number; how: MergeHow }
  | { kind: 'answer'; id: number; answer: FetchAnswer }
  | { kind: 'tell'; id: number; outcome: Outcome; tries: number; answer: FetchAnswer | undefined }
type Effect = Command<string> | Stage

/** The effects as the worst there may be: each ends when the test says so, in any order. */
export class World {
  state: PullState<string> = startState(LANES)
  now = 0
  accepted = 0
  /** Asked of the effects, and not ended. */
  pending: Effect[] = []
  all: { command: Effect; before: PullState<string>; now: number }[] = []
  open = new Set<string>()
  /** Reads that answer a fetch request. */
  asked = new Set<number>()
  wakeAt = Infinity

  tell(event: PullEvent<string>): void {
    const before = this.state
    const next = step(before, event)
    this.state = next.state
    for (const command of next.commands) {
      if (command.kind === 'wake') this.wakeAt = command.at
      this.ask(command, before)
    }
  }
  ask(command: Effect, before = this.state): void {
    this.all.push({ command, before, now: this.now })
    this.pending.push(command)
  }
  /** A resource would like to read something: gate and pace let it go. */
  offer(task: Task): void {
    const before = this.state
    if (admissionOf(before, task, this.now) === 'no') return
    this.tell({ kind: 'begun', task, ...this.moment() })
    const id = this.state.lastId
    if (task.fetchRequest) this.asked.add(id)
    this.ask({ kind: 'read', id, task }, before)
  }
  moment = () => ({ now: this.now, accepted: this.accepted })

  answered(name: string | undefined, state: string | undefined): void {
    if (name !== undefined && state !== 'failed') this.open.delete(name)
  }
  take<K extends Effect['kind']>(kinds: readonly K[], pick = 0) {
    const found = this.pending.filter(({ kind }) => kinds.some((one) => one === kind))
    const one = found[pick % Math.max(1, found.length)]
    this.pending = this.pending.filter((command) => command !== one)
    return one as Extract<Effect, { kind: K }> | undefined
  }

  /** @param names what the resource would like to read now */
  plan(names: readonly string[]): void {
    if (!this.take(['plan'])) return
    for (const name of names) this.offer(taskOf(name))
    this.tell({ kind: 'planned', docs: null })
  }

  /** One effect of a read comes to its end. @param outcome how the CRM answered, where it did not accept */
  end(pick: number, outcome: Outcome | null, page?: Page): void {
    const stage = this.take(['read', 'merge', 'answer', 'tell'], pick)
    if (!stage || this.state.phase === 'stopped') return
    const { id } = stage
    if (stage.kind === 'answer' || stage.kind === 'tell') return this.tell({ kind: 'ended', id })
    const name = this.state.reads.find((read) => read.id === id)?.name ?? ''
    if (stage.kind === 'merge') return this.merged(id, name, stage.how)
    if (outcome) return this.failed(stage, outcome)
    this.accepted += 1
    this.ask({ kind: 'merge', id, how: mergeHow(this.state.snapshots.get(name) ?? NO_PAGES, page) })
  }
  merged(id: number, name: string, { isLast, snapshot }: MergeHow): void {
    this.tell({ kind: 'merged', id, docs: [name], snapshot: isLast ? undefined : snapshot })
    if (!name.startsWith('q')) return this.tell({ kind: 'ended', id })
    this.answered(name, 'answered')
    this.ask({
      kind: 'answer',
      id,
      answer: { fetchRequest: fetchRequest(name), state: 'answered', total: 1 },
    })
  }
  failed({ id, task }: Extract<Stage, { kind: 'read' }>, outcome: Outcome): void {
    const error = new PullAgain(outcome)
    this.tell({ kind: 'failed', id, outcome, error, random: 0.5, isBlocked: false, ...this.moment() })
    if (isInconclusive(outcome)) return
    const answer: FetchAnswer | undefined =
      task.fetchRequest && outcome.kind === 'unknown'
        ? { fetchRequest: task.fetchRequest, state: 'failed', total: 0 }
        : undefined
    this.ask({ kind: 'tell', id, outcome, tries: triesOf(this.state, task.name), answer })
  }

  act({ act, pick, how }: Choice): void {
    const name = NAMES[pick % NAMES.length] ?? 'a1'
    if (act === 'turn' && this.state.phase === 'idle') this.tell({ kind: 'called' })
    if (act === 'gate' && this.take(['pass'])) this.tell({ kind: 'passed', expired: [] })
    if (act === 'plan') {
      if (how === 0) this.open.add('q1')
      if (how === 1) this.open.add('q2')
      this.plan([...this.open, 'a1', 'a2', 'a3'])
    }
    if (act === 'end') this.end(pick, OUTCOMES[how] ?? null)
    if (act === 'ring') this.tell({ kind: 'recheck' })
    if (act === 'drop' && !name.startsWith('q')) this.tell({ kind: 'dropped', name })
    if (act === 'wait') {
      this.now += 400 * (pick + 1)
      if (this.take(['gather'])) this.tell({ kind: 'gathered' })
    }
    if (act === 'clear' && how === 5) this.tell({ kind: 'cleared' })
  }

  /** The CRM is well again, RxDB and the timer do their part. */
  recover(): void {
    for (let n = 0; n < 40; n++) {
      this.now = Math.max(this.now, Math.min(this.wakeAt, this.now + 600_000))
      if (this.state.phase === 'idle') this.tell({ kind: 'called' })
      if (this.take(['pass'])) this.tell({ kind: 'passed', expired: [] })
      this.plan([...this.open, 'a1', 'a2', 'a3'])
      for (let m = 0; m < 30; m++) this.end(0, null)
      if (this.take(['gather'])) this.tell({ kind: 'gathered' })
      if (this.open.size > 0) this.tell({ kind: 'recheck' })
    }
  }
}

/** Goes on until the engine asks what there is to read, the gate being open. */
export function toPlan(world: World): void {
  const isOpen = () => world.state.phase === 'planning' && !world.state.isClosed
  for (let n = 0; n < 9 && !isOpen(); n++) {
    world.plan([])
    world.tell(world.state.phase === 'idle' ? { kind: 'called' } : { kind: 'recheck' })
    if (world.take(['pass'])) world.tell({ kind: 'passed', expired: [] })
  }
}
