/** The pull engine's laws: a world that fails as it likes, and what the step asks of it (decisions/pull). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAGE_SIZE } from '#schemas/limits.ts'
import {
  GATHERED_MAX,
  DOCS_PER_CALL,
  hasReadyDocs,
  isUnderWay,
  startState,
  type PullState,
} from '#sync/pull/engine/engine-state.ts'
import { step } from '#sync/pull/engine/engine-step.ts'
import { isWaiting } from '#sync/scheduler/read-backoff.ts'
import { isComplete, type Page } from '#sync/pull/engine/snapshot.ts'
import {
  choices,
  OUTCOMES,
  taskOf,
  toPlan,
  World,
  type Choice,
  type Stage,
} from '../../support/pull-world.ts'

const ran = (acts: readonly Choice[]): World => {
  const world = new World()
  for (const one of acts) world.act(one)
  return world
}
const begins = (world: World) =>
  world.all.flatMap(({ command, ...at }) => (command.kind === 'read' ? [{ ...at, task: command.task }] : []))

describe('[PL9] the engine', () => {
  test('never reads one thing twice at once, and no lane has more than its places', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        const world = new World()
        for (const one of acts) {
          world.act(one)
          const names = world.state.reads.filter(({ isDropped }) => !isDropped).map(({ name }) => name)
          expect(new Set(names).size).toBe(names.length)
          expect(world.state.reads.filter(({ lane }) => lane === 'background').length).toBeLessThanOrEqual(2)
        }
        for (const { task, before } of begins(world)) expect(isUnderWay(before, task.name)).toBe(false)
      }),
    ))

  test('gives every document that was merged once, in the order in which they came', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        const world = ran(acts)
        world.recover()
        const given = world.all.flatMap(({ command }) => (command.kind === 'deliver' ? command.docs : []))
        const merged = world.all.filter(({ command }) => command.kind === 'merge').length
        expect(given.length + world.state.readyDocs.length).toBe(merged)
      }),
    ))

  test('[PL11] lets wait for more only what nobody waits for, only while something is read, and never for good', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        const world = new World()
        for (const one of acts) {
          const endsAsked = world.state.reads.filter(({ isGathered, docs }) => !isGathered && docs.length > 0)
          world.act(one)
          const { readyDocs, isGathering, reads } = world.state
          if (readyDocs.length === 0 || hasReadyDocs(world.state)) continue
          expect(isGathering && readyDocs.length < GATHERED_MAX).toBe(true)
          expect(reads.some(({ isDropped }) => !isDropped)).toBe(true)
          expect(world.pending.some(({ kind }) => kind === 'gather')).toBe(true)
          // what a screen waits for is never among what waits
          const waiting = new Set(readyDocs)
          expect(endsAsked.filter(({ name }) => waiting.has(name) && name.startsWith('q'))).toEqual([])
          expect(readyDocs.filter((name) => name.startsWith('q') || name === 'a3')).toEqual([])
        }
      }),
    ))

  test('[PL11] gives what several reads brought in one turn, and at once what a screen waits for', () => {
    const world = new World()
    toPlan(world)
    world.plan(['a1', 'a2'])
    const given = () => world.all.flatMap(({ command }) => (command.kind === 'deliver' ? [command.docs] : []))
    // read and merged, the one after the other
    for (let n = 0; n < 3; n++) world.end(0, null)
    expect([given(), world.state.readyDocs.length]).toEqual([[], 1])
    for (let n = 0; n < 40 && given().length === 0; n++) {
      toPlan(world)
      world.plan([])
      world.end(0, null)
    }
    expect(given()[0]).toEqual(['a1', 'a2'])
  })

  test('[PL11] gives many documents in portions: RxDB writes each in one go', () => {
    const docs = Array.from({ length: 2 * DOCS_PER_CALL + 50 }, (_, at) => at)
    let state: PullState<number> = { ...startState<number>({}), readyDocs: docs }
    const given: number[][] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const next = step(state, { kind: 'called' })
      ;({ state } = next)
      for (const command of next.commands) if (command.kind === 'deliver') given.push([...command.docs])
    }
    expect(given.map(({ length }) => length)).toEqual([DOCS_PER_CALL, DOCS_PER_CALL, 50])
    expect(given.flat()).toEqual(docs)
  })
})

describe('[PL8] what failed', () => {
  test('by itself is left alone until its back-off is over', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        for (const { task, before, now } of begins(ran(acts)))
          expect(isWaiting(before.troubles.get(task.name), now)).toBe(false)
      }),
    ))

  test('however often, begins again when its back-off is over and not before', () => {
    const world = new World()
    for (let tries = 1; tries < 12; tries++) {
      toPlan(world)
      world.plan(['a1'])
      expect(isUnderWay(world.state, 'a1')).toBe(true)
      world.accepted += 1
      world.end(0, OUTCOMES[0] ?? null)
      world.end(0, null)
      const trouble = world.state.troubles.get('a1')
      expect(trouble).toMatchObject({ tries, isOwn: true })
      world.now = (trouble?.notBefore ?? 0) - 1
      toPlan(world)
      world.plan(['a1'])
      expect(isUnderWay(world.state, 'a1')).toBe(false)
      world.now += 1
    }
  })

  test('holds up nothing else: what is offered beside it begins at once', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        const world = ran(acts)
        while (world.pending.some(({ kind }) => kind === 'read')) world.end(0, OUTCOMES[0] ?? null)
        for (let n = 0; n < 20; n++) world.end(0, null)
        toPlan(world)
        expect(world.state).toMatchObject({ phase: 'planning', isClosed: false })
        world.offer(taskOf('new'))
        expect(isUnderWay(world.state, 'new')).toBe(true)
      }),
    ))

  test('is told of to the gate where nothing else is accepted, and waits alone where something is', () => {
    const world = new World()
    world.act({ act: 'turn', pick: 0, how: 0 })
    world.act({ act: 'gate', pick: 0, how: 0 })
    world.plan(['a1', 'a3'])
    world.end(0, OUTCOMES[0] ?? null)
    expect(world.take(['close'])).toBeDefined()
    world.end(0, null)
    world.end(0, null)
    world.end(0, null)
    for (let n = 0; n < 3; n++) {
      world.act({ act: 'turn', pick: 0, how: 0 })
      world.act({ act: 'gate', pick: 0, how: 0 })
    }
    world.plan(['a1'])
    world.end(0, OUTCOMES[0] ?? null)
    expect(world.take(['close'])).toBeUndefined()
    expect(world.take(['wake'])).toBeDefined()
  })
})

describe('[PL1] a snapshot', () => {
  const pages = fc.array(
    fc.record({
      size: fc.constantFrom(0, 1, 3, PAGE_SIZE, PAGE_SIZE),
      from: fc.nat(60),
      total: fc.constantFrom(null, 0, 3, 51, PAGE_SIZE, 2 * PAGE_SIZE, 103),
      unreadable: fc.nat(9).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 6 },
  )
  /** Reads page after page until the engine says that it was the last. @returns each merge, and the rows by then */
  function read(asked: readonly { size: number; from: number; total: number | null; unreadable: boolean }[]) {
    const world = new World()
    const seen: Page[] = []
    const merges: Extract<Stage, { kind: 'merge' }>['how'][] = []
    for (const { size, from, total, unreadable } of asked) {
      world.act({ act: 'turn', pick: 0, how: 0 })
      world.act({ act: 'turn', pick: 0, how: 0 })
      world.act({ act: 'gate', pick: 0, how: 0 })
      world.plan(['a1'])
      const keys = Array.from({ length: size }, (_, n) => `${from + n}`)
      const page: Page = { kind: 'page', keys, size, total, unreadable }
      world.end(0, null, page)
      const merge = world.pending.find((command) => command.kind === 'merge')
      if (merge?.kind !== 'merge') throw new Error('what was read is merged')
      merges.push(merge.how)
      seen.push(page)
      world.end(0, null)
      if (merge.how.isLast) break
    }
    return { merges, seen, world }
  }

  test('that is complete removes what it lacks, any other nothing', () =>
    fc.assert(
      fc.property(pages, (asked) => {
        const { merges, seen } = read(asked)
        const rows = seen.flatMap((page) => (page.kind === 'page' ? page.keys : []))
        const isWhole =
          new Set(rows).size === rows.length &&
          seen.every((page) => page.kind === 'page' && page.total === rows.length && !page.unreadable)
        merges.forEach(({ removes, isLast }, n) => {
          expect(removes && !isLast).toBe(false)
          if (removes) expect([n, isWhole]).toEqual([merges.length - 1, true])
        })
        const last = merges.at(-1)
        if (last?.isLast && isWhole && !last.isEndless) expect(last.removes).toBe(true)
        if (last) expect(last.removes && !isComplete(last.snapshot)).toBe(false)
      }),
    ))

  test('begins anew after its end, and goes on after a page that failed', () => {
    const full = (from: number, size: number) => ({ size, from, total: 53, unreadable: false })
    const { merges, world } = read([full(0, PAGE_SIZE), full(50, 3)])
    expect(merges.map(({ isLast, removes }) => [isLast, removes])).toEqual([
      [false, false],
      [true, true],
    ])
    expect(world.state.snapshots.size).toBe(0)
  })

  test('of one piece removes only where it is complete; a single record removes nothing', () => {
    for (const [page, removes] of [
      [{ kind: 'whole', isComplete: true }, true],
      [{ kind: 'whole', isComplete: false }, false],
      [undefined, false],
    ] as const) {
      const world = new World()
      world.act({ act: 'turn', pick: 0, how: 0 })
      world.act({ act: 'gate', pick: 0, how: 0 })
      world.plan(['a1'])
      world.end(0, null, page)
      expect(world.take(['merge'])?.how).toMatchObject({ isLast: true, removes })
    }
  })
})

describe('[PL8] a question', () => {
  test('is answered once the CRM is well, however it failed before', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        const world = ran(acts)
        world.open.add('q1')
        world.recover()
        expect([...world.open]).toEqual([])
      }),
    ))

  test('that a 5xx answered is told as failed, and is tried again', () =>
    fc.assert(
      fc.property(choices, (acts) => {
        const world = ran(acts)
        for (const { command } of world.all) {
          if (command.kind !== 'tell') continue
          expect(command.answer !== undefined).toBe(
            command.outcome.kind === 'unknown' && world.asked.has(command.id),
          )
        }
      }),
    ))

  test('leaves beside a closed gate once, and what nobody waits for does not', () => {
    const world = new World()
    world.act({ act: 'turn', pick: 0, how: 0 })
    world.act({ act: 'ring', pick: 0, how: 0 })
    world.plan(['q1', 'a1'])
    expect(begins(world).map(({ task }) => task.name)).toEqual(['q1'])
    world.end(0, OUTCOMES[0] ?? null)
    world.end(0, null)
    world.plan(['q1', 'a1'])
    expect(begins(world)).toHaveLength(1)
  })
})

test('[PL9] after it was stopped the engine asks for nothing any more', () =>
  fc.assert(
    fc.property(choices, choices, (before, after) => {
      const world = ran(before)
      world.tell({ kind: 'stopped' })
      const { length } = world.all
      for (const one of after) world.act(one)
      world.recover()
      expect(world.all).toHaveLength(length)
    }),
  ))
