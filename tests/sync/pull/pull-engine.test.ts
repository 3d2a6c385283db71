/** The pull engine's laws: it runs in a world that fails as it likes (decisions/pull). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backoffDelay } from '#sync/lib/backoff.ts'
import { OWN_RETRY_MAX_MS } from '#sync/scheduler/read-backoff.ts'
import { BROKEN, choices, inWorld, type PullWorld } from '../../support/pull-world.ts'

const NUMBER = { numRuns: 60 }

/** Reads under way that somebody needs. */
const needed = (world: PullWorld) =>
  world.running.filter(({ signal }) => !signal.aborted).map(({ name }) => name)

describe('[PL9] the engine', () => {
  test('never reads one thing twice at once, and the background has no more than its places', () =>
    fc.assert(
      fc.asyncProperty(choices, (acts) =>
        inWorld(
          acts,
          () => undefined,
          (world) => {
            expect(new Set(needed(world)).size).toBe(needed(world).length)
            expect(world.running.filter(({ name }) => name.startsWith('a')).length).toBeLessThanOrEqual(2)
          },
        ),
      ),
      NUMBER,
    ))

  test('gives every document that was merged once, in the order in which they came', () =>
    fc.assert(
      fc.asyncProperty(choices, (acts) =>
        inWorld(acts, async (world) => {
          await world.recover()
          expect(world.given).toEqual(world.merged)
        }),
      ),
      NUMBER,
    ))

  test('[EX1] gives no document that is not due any more, and goes on with the next', () =>
    inWorld([], async (world) => {
      world.undue.add('a1')
      for (let n = 0; n < 4; n++) await world.end(0, null)
      await world.recover()
      expect(world.merged).toContain('a1')
      expect(world.given).toContain('a2')
      expect(world.given).not.toContain('a1')
    }))

  test('after the stop begins, merges and answers nothing', () =>
    fc.assert(
      fc.asyncProperty(choices, choices, (before, after) =>
        inWorld(before, async (world) => {
          world.stop$.next()
          const { begun, merged, answered } = world
          const lengths = [begun.length, merged.length, answered.length]
          for (const one of after) await world.act(one)
          for (let n = 0; n < 5; n++) await world.end(0, null)
          expect([begun.length, merged.length, answered.length]).toEqual(lengths)
        }),
      ),
      NUMBER,
    ))
})

describe('[PL8] what failed', () => {
  test('by itself is left alone until its back-off is over', () =>
    fc.assert(
      fc.asyncProperty(choices, (acts) =>
        inWorld([], async (world) => {
          world.onBegin = (name) => {
            const failure = world.failed.get(name)
            if (!failure || !isOwn.has(name)) return
            const wait = backoffDelay(failure.tries - 1, 0, 0, OWN_RETRY_MAX_MS)
            expect(world.now - failure.at).toBeGreaterThanOrEqual(wait)
          }
          const isOwn = new Set<string>()
          for (const one of acts) {
            await world.act(one)
            for (const name of world.failed.keys())
              if (world.engine.hasOwnFailure(name)) isOwn.add(name)
              else isOwn.delete(name)
          }
        }),
      ),
      NUMBER,
    ))

  test('however often, begins again when its back-off is over and not before', () =>
    inWorld([], async (world) => {
      world.offered = ['a1']
      await world.end(0, null)
      await world.end(0, null)
      for (let tries = 1; tries < 14; tries++) {
        await world.notify()
        expect(needed(world)).toEqual(['a1'])
        world.accepted += 1
        await world.end(0, BROKEN)
        expect(world.engine.triesOf('a1')).toBe(tries)
        const wait = backoffDelay(tries - 1, 0, 0, OWN_RETRY_MAX_MS)
        world.now += wait - 1
        await world.notify()
        expect(needed(world)).toEqual([])
        world.now += 1
      }
    }))

  test('holds up nothing else: what is offered beside it begins at once', () =>
    fc.assert(
      fc.asyncProperty(choices, (acts) =>
        inWorld(acts, async (world) => {
          await world.setGate(true)
          world.offered = []
          world.open.clear()
          while (world.running.length > 0) await world.end(0, BROKEN)
          world.offered = ['new']
          await world.notify()
          expect(world.begun.map(({ name }) => name)).toContain('new')
        }),
      ),
      NUMBER,
    ))
})

describe('[PL8] a question', () => {
  test('is answered once the CRM is well, however it failed before', () =>
    fc.assert(
      fc.asyncProperty(choices, (acts) =>
        inWorld(acts, async (world) => {
          world.open.add('q1')
          await world.recover()
          expect([...world.open]).toEqual([])
        }),
      ),
      NUMBER,
    ))

  test('leaves beside a closed gate once, and what nobody waits for does not', () =>
    inWorld([], async (world) => {
      await world.setGate(false)
      await world.end(0, null)
      await world.end(0, null)
      const before = world.begun.length
      world.open.add('q1')
      await world.notify()
      expect(world.begun.slice(before).map(({ name }) => name)).toEqual(['q1'])
      await world.end(0, BROKEN)
      await world.notify()
      expect(world.begun).toHaveLength(before + 1)
    }))
})
