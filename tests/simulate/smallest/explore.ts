/**
 * Every reachable state of the smallest world, breadth first: two phones, one record, calls that are lost or answered badly
 * in every way, a crash before every write. What each phone may do is part of the state, so their number is finite; states
 * that differ only in clocks and stamps are one. Each is held against the laws, and so is what comes of it at rest.
 */
import { eventsOf, startOf, step, type Choice, type Event, type State, type World } from './events.ts'
import { brokenAtRest, brokenNow, calm } from './laws.ts'
import type { Planted } from './phone.ts'

export interface Explored {
  states: number
  steps: number
  /** The first state that breaks a law, and a shortest way there. */
  broken: { law: string; way: readonly Event[] } | null
}

interface Found {
  state: State
  event: Event | null
  before: Found | null
}

const sorted = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Stamps count by their order alone. */
function nameOf(state: object): string {
  const text = JSON.stringify(state, sorted)
  const order = [...new Set(text.match(/s\d{6}/g) ?? [])].toSorted()
  const places = new Map(order.map((stamp, place) => [stamp, `s${place}`]))
  return text.replaceAll(/s\d{6}/g, (stamp) => places.get(stamp) ?? stamp)
}

const bare = ({ disks, crm, saved, reading }: State) => ({ disks, crm, saved, reading })

export async function explore(world: World, planted: Planted = {}): Promise<Explored> {
  const first: Found = { state: startOf(world), event: null, before: null }
  const seen = new Set<string>()
  const atRest = new Set<string>()
  const queue: Found[] = []
  let steps = 0
  const found = (one: Found) => {
    const name = nameOf({ ...bare(one.state), reads: one.state.reads, calls: one.state.calls })
    if (seen.has(name)) return
    seen.add(name)
    queue.push(one)
  }
  found(first)
  for (const one of queue) {
    const law = brokenNow(one.state) ?? (await lawAtRest(one.state, planted, atRest))
    if (law) return { states: seen.size, steps, broken: { law, way: wayTo(one) } }
    for await (const [event, state] of nextOf(one.state, planted)) {
      steps += 1
      found({ state, event, before: one })
    }
  }
  return { states: seen.size, steps, broken: null }
}

/** What a phone may still do makes no difference to how it comes to rest. */
async function lawAtRest(state: State, planted: Planted, known: Set<string>): Promise<string | null> {
  const name = nameOf(bare(state))
  if (known.has(name)) return null
  known.add(name)
  return brokenAtRest(await calm(state, planted))
}

/** All that can come of a state: of a run, whatever can happen at each of its choices. */
async function* nextOf(state: State, planted: Planted): AsyncGenerator<[Event, State]> {
  for (const event of eventsOf(state)) {
    const open: Event[] = [event]
    for (let one = open.pop(); one; one = open.pop()) {
      const { state: next, points } = await step(state, one, planted)
      yield [one, next]
      if (one.kind === 'run') open.push(...others(one, points))
    }
  }
}

/** The runs that go as this one does up to a choice of which it says nothing, and then otherwise. */
function others(run: Extract<Event, { kind: 'run' }>, points: readonly (readonly Choice[])[]): Event[] {
  const made = run.choices.length
  return points.slice(made).flatMap((options, beyond) => {
    const until = [...run.choices, ...Array.from({ length: beyond }, () => 'ok' as const)]
    return options.slice(1).map((choice) => ({ ...run, choices: [...until, choice] }))
  })
}

function wayTo(last: Found): Event[] {
  const way: Event[] = []
  for (let one: Found | null = last; one; one = one.before) if (one.event) way.unshift(one.event)
  return way
}
