/** The lane of photos at a circuit that lets one call go on trial. */
import { expect, test } from 'vitest'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Gate } from '#sync/scheduler/gate.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { createPhotoLane } from '#sync/photos/photo-lane.ts'
import type { PhotoStore } from '#sync/photos/photo-store.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import { until } from '../../support/device.ts'

const blocked = (outcome: Outcome): Step => ({ kind: 'blocked', outcome })

test('[OR3][OC10] a photo that is answered 500 for ever holds up no other', async () => {
  const unsent = ['poison', 'a', 'b', 'c']
  let rounds = 0
  let failures = 0
  // half open: one call goes on trial, the others are held back until its answer is there
  let onTrial = false
  const gate: Gate = {
    async passed() {
      rounds += 1
    },
    failed: () => undefined,
    succeeded: () => undefined,
  }
  const lane = createPhotoLane({
    store: { unsent: async () => unsent.map((key) => ({ key }) as PhotoRecord) } as PhotoStore,
    gate,
    async send(key) {
      if (rounds > 40) return { kind: 'done' }
      if (failures > 0 && onTrial) return blocked({ kind: 'unreachable' })
      onTrial = true
      await Promise.resolve()
      onTrial = false
      failures = key === 'poison' ? failures + 1 : 0
      if (key === 'poison') return blocked({ kind: 'unknown', status: 500 })
      unsent.splice(unsent.indexOf(key), 1)
      return { kind: 'done' }
    },
    accepted: () => 4 - unsent.length,
    later: () => lane.kick(),
    report: (problem) => expect(problem).toBe(''),
  })
  failures = 1
  lane.kick()
  await until(() => rounds > 40)
  lane.stop()
  expect(unsent).toEqual(['poison'])
})

test('[SV2][trap 21] a lane that could not read the device comes back by itself', async () => {
  const problems: string[] = []
  const later: (() => void)[] = []
  const sent: string[] = []
  let isLost = true
  const lane = createPhotoLane({
    store: {
      async unsent() {
        if (isLost) throw new DOMException('The connection was lost', 'AbortError')
        return sent.length > 0 ? [] : [{ key: 'a' } as PhotoRecord]
      },
    } as PhotoStore,
    gate: { passed: async () => undefined, failed: () => undefined, succeeded: () => undefined },
    async send(key) {
      sent.push(key)
      return { kind: 'done' }
    },
    accepted: () => sent.length,
    later: () => later.push(() => lane.kick()),
    report: (problem) => problems.push(problem),
  })
  lane.kick()
  await until(() => problems.length > 0)
  isLost = false
  await until(() => later.length > 0)
  for (const kick of later) kick()
  await until(() => sent.length > 0)
  lane.stop()
})

test('[ST4] on a full disk a round tries three photos and no more, and each has its turn', async () => {
  const unsent = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const rounds: string[][] = []
  const lane = createPhotoLane({
    store: { unsent: async () => unsent.map((key) => ({ key }) as PhotoRecord) } as PhotoStore,
    gate: {
      async passed() {
        if (rounds.length === 20) lane.stop()
        rounds.push([])
      },
      failed: () => undefined,
      succeeded: () => undefined,
    },
    async send(key) {
      rounds.at(-1)?.push(key)
      await Promise.resolve()
      throw new DOMException('disk full', 'QuotaExceededError')
    },
    accepted: () => 0,
    later: () => undefined,
    report: () => undefined,
  })
  lane.kick()
  await until(() => rounds.length > 20)
  for (const tried of rounds) expect(tried.length).toBeLessThanOrEqual(3)
  expect(new Set(rounds.flat())).toEqual(new Set(unsent))
})

test('[OR1] no more than three photos go at once, in the order of saving, also after one failed; what is saved meanwhile joins in', async () => {
  const unsent = ['a', 'b', 'c', 'd', 'e']
  const begun: string[] = []
  const ends = new Map<string, (step: Step) => void>()
  const lane = createPhotoLane({
    store: { unsent: async () => unsent.map((key) => ({ key }) as PhotoRecord) } as PhotoStore,
    gate: { passed: async () => undefined, failed: () => undefined, succeeded: () => undefined },
    send: (key) => {
      begun.push(key)
      return new Promise((resolve) => void ends.set(key, resolve))
    },
    accepted: () => 0,
    later: () => undefined,
    report: (problem) => expect(problem).toBe(''),
  })
  lane.kick()
  await until(() => begun.length === 3)
  unsent.push('f')
  lane.kick()
  for (const [ended, key] of [...unsent].entries()) {
    await until(() => begun.length === Math.min(unsent.length, ended + 3))
    expect(begun).toEqual(unsent.slice(0, ended + 3))
    ends.get(key)?.(ended === 0 ? blocked({ kind: 'unknown', status: 500 }) : { kind: 'done' })
  }
  lane.stop()
})
