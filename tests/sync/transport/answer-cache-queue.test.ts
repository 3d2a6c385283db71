import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWriteBehind, withWaiting } from '#data/http-cache/answer-cache.ts'

const answer = (text: string) => ({ etag: '"1"', text, total: null })
const [one, two] = [answer('1'), answer('2')]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  [undefined, undefined, undefined],
  [undefined, one, one],
  [one, undefined, one],
  [one, two, two],
  [one, null, null],
  [null, undefined, null],
  [null, two, two],
])('[decisions/pull] of an address that waits the last counts: %j, then %j', (first, second, wanted) => {
  const before = withWaiting(new Map(), 'a', { answer: first, at: 1 })
  expect([...withWaiting(before, 'a', { answer: second, at: 2 })]).toEqual([['a', { answer: wanted, at: 2 }]])
})

test('[decisions/pull] many are written in one go, half a second after the first; until then they are had from there', async () => {
  const batches: string[][] = []
  let goOn = () => undefined as void
  const queue = createWriteBehind(
    (batch) => {
      batches.push([...batch.keys()])
      return new Promise((resolve) => (goOn = resolve))
    },
    () => 0,
  )
  queue.add('a', one)
  await vi.advanceTimersByTimeAsync(499)
  queue.add('b', one)
  expect([batches, queue.find('a')]).toEqual([[], one])
  await vi.advanceTimersByTimeAsync(1)
  expect([batches, queue.find('a')]).toEqual([[['a', 'b']], one])
  // what goes while it is still being written is not had from there any more
  queue.add('a', null)
  expect(queue.find('a')).toBeNull()
  goOn()
  await vi.advanceTimersByTimeAsync(0)
  expect([queue.find('a'), queue.find('b')]).toEqual([null, undefined])
})

test('[decisions/pull] a write that fails is forgotten, and the next is written', async () => {
  const write = vi.fn<() => Promise<void>>(async () => undefined).mockRejectedValueOnce(new Error('full'))
  const queue = createWriteBehind(write, () => 0)
  queue.add('a', one)
  await queue.flush()
  queue.add('b', one)
  await queue.flush()
  expect([write.mock.calls.length, queue.find('a')]).toEqual([2, undefined])
})
