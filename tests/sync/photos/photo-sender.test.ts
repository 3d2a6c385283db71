/** The push handler of photos: with a circuit breaker that admits one trial, on a full disk, and beside other saves. */
import { expect, test } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Step } from '#sync/changes/send-adapter.ts'
import { until } from '../../support/device.ts'
import { photoSenderOf } from '../../support/photo-sender.ts'

const blocked = (outcome: Outcome): Step => ({ kind: 'blocked', outcome })

test('[OR3][OC10] a photo that is answered 500 for ever holds up no other', async () => {
  const unsent = ['poison', 'a', 'b', 'c']
  let rounds = 0
  let failures = 1
  // the circuit is half open: it admits one trial call, and no other before its answer
  let onTrial = false
  const sender = photoSenderOf(() => unsent, {
    gate: {
      async passed() {
        rounds += 1
      },
    },
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
  })
  sender.wake(0)
  await until(() => rounds > 40)
  expect(unsent).toEqual(['poison'])
})

test('[SV2][trap 21] where the device could not be read, what waits is gone through again by itself', async () => {
  const problems: unknown[] = []
  const sent: string[] = []
  let isLost = true
  const sender = photoSenderOf(
    () => {
      if (isLost) throw new DOMException('The connection was lost', 'AbortError')
      return sent.length > 0 ? [] : ['a']
    },
    {
      async send(key) {
        sent.push(key)
        return { kind: 'done' }
      },
      failed(error) {
        problems.push(error)
        isLost = false
      },
    },
  )
  sender.wake(0)
  await until(() => sent.length > 0)
  expect(problems).toHaveLength(1)
})

test('[ST4] on a full disk a round tries three photos and no more, and each has its turn', async () => {
  const unsent = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const rounds: string[][] = []
  const sender = photoSenderOf(() => unsent, {
    gate: {
      async passed() {
        if (rounds.length === 20) throw new GateClosed()
        rounds.push([])
      },
    },
    async send(key) {
      rounds.at(-1)?.push(key)
      await Promise.resolve()
      throw new DOMException('disk full', 'QuotaExceededError')
    },
    failed: () => undefined,
  })
  await expect(sender.push([])).rejects.toThrow(GateClosed)
  for (const tried of rounds) expect(tried.length).toBeLessThanOrEqual(3)
  expect(new Set(rounds.flat())).toEqual(new Set(unsent))
})

test('[OR1] no more than three photos go at once, in the order of saving, also after one failed; what is saved meanwhile joins in', async () => {
  const unsent = ['a', 'b', 'c', 'd', 'e']
  const begun: string[] = []
  const ends = new Map<string, (step: Step) => void>()
  const sender = photoSenderOf(() => unsent, {
    send: (key) => {
      begun.push(key)
      return new Promise((resolve) => void ends.set(key, resolve))
    },
  })
  sender.wake(0)
  await until(() => begun.length === 3)
  unsent.push('f')
  sender.enqueue({ id: 'f', resource: 'photos', recordKey: 'f' })
  for (const [ended, key] of [...unsent].entries()) {
    await until(() => begun.length === Math.min(unsent.length, ended + 3))
    expect(begun).toEqual(unsent.slice(0, ended + 3))
    ends.get(key)?.(ended === 0 ? blocked({ kind: 'unknown', status: 500 }) : { kind: 'done' })
  }
})

test('[SV2] what a person decides of a photo does not wait for another that is under way', async () => {
  const wished = new Map<string, SendFacts>()
  const granted: string[] = []
  const begun: string[] = []
  const sender = photoSenderOf(() => ['a', 'b'], {
    read: async () => wished,
    applyUserRequests: async (keys) => void granted.push(...keys),
    send: (key) => {
      begun.push(key)
      return new Promise(() => undefined)
    },
  })
  sender.wake(0)
  await until(() => begun.length === 2)
  wished.set('b', { id: 'b', wish: 'discard' } as SendFacts)
  sender.enqueue({ id: 'b', resource: 'photos', recordKey: 'r' })
  await until(() => granted.includes('b'))
})
