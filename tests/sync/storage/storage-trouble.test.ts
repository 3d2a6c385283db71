import { Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'
import {
  afterFailure,
  afterWrite,
  createStorageTrouble,
  isFull,
  isWriteError,
  NO_TROUBLE,
  type Trouble,
} from '#sync/storage/storage-trouble.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'

test('[ST4a] the wait doubles from 2 seconds to 5 minutes; failures of one moment count once', () => {
  let trouble = NO_TROUBLE
  const waits: number[] = []
  for (let now = 0; waits.length < 10; now = trouble.until) {
    trouble = afterFailure(trouble, 'requests', now)
    waits.push(trouble.until - now)
    expect(afterFailure(trouble, 'requests', now + 1)).toEqual(trouble)
  }
  expect(waits.slice(0, 3)).toEqual([2_000, 4_000, 8_000])
  expect(waits.at(-1)).toBe(300_000)
})
test('[ST4] a write ends it, but not one that was under way when another failed', () => {
  const trouble = afterFailure(NO_TROUBLE, 'requests', 0)
  expect(afterWrite(trouble, 'requests', 1_999)).toBe(trouble)
  expect(afterWrite(trouble, 'requests', 2_000)).toBe(NO_TROUBLE)
})
test('[ST4] nearly full: what others write does not end it, and each wait is twice the one before', () => {
  const troubles = [1, 2, 3, 4].reduce<Trouble[]>((all) => {
    const before = afterWrite(all.at(-1) ?? NO_TROUBLE, 'staff', all.at(-1)?.until ?? 0)
    return [...all, afterFailure(before, 'requests', before.until)]
  }, [])
  expect(troubles.map(({ until }) => until)).toEqual([2_000, 6_000, 14_000, 30_000])
})
test('[ST4] what failed has nothing to write any more: a minute without a failure, and any write ends it', () => {
  const trouble = afterFailure(NO_TROUBLE, 'requests', 0)
  expect(afterWrite(trouble, 'staff', 61_999)).toBe(trouble)
  expect(afterWrite(trouble, 'staff', 62_000)).toBe(NO_TROUBLE)
})
test.each([
  [new DOMException('no', 'QuotaExceededError'), true],
  [{ name: 'AbortError', inner: { name: 'QuotaExceededError' } }, true],
  [{ name: 'RxError (RC_START)', parameters: { errors: [{ name: 'QuotaExceededError' }] } }, true],
  [new Error('QuotaExceededError'), false],
  [null, false],
])('[ST4] %o: full %s', (error, full) => expect(isFull(error)).toBe(full))
test('[ST4] what a handler threw is no failed write', () => {
  expect(isWriteError({ parameters: { direction: 'pull' } })).toBe(false)
  expect(isWriteError({ parameters: { writeError: {} } })).toBe(true)
  expect(isWriteError(new Error('any'))).toBe(true)
})

describe('[ST4a] on a device', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const FULL = new DOMException('no', 'QuotaExceededError')

  function open({ tryRoom = async () => undefined }: { tryRoom?: () => Promise<void> } = {}) {
    const told: unknown[] = []
    const stop$ = new Subject<void>()
    const troubles = createStorageTrouble({
      stop$,
      report: () => told.push('reported'),
      full: (isNow) => told.push(isNow),
      tryRoom,
      again: () => told.push('again'),
    })
    return { trouble: troubles.of('requests'), other: troubles.of('staff'), told, stop$ }
  }
  const failing = (error: Error) => async () => {
    throw error
  }

  test('what is full is told once, and once that there is room again', async () => {
    const { trouble, told } = open()
    trouble.failed(FULL)
    expect(told).toEqual(['reported', true])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(told).toEqual(['reported', true, 'again'])
    trouble.failed(FULL)
    expect(told).toHaveLength(3)
    trouble.wrote()
    expect(told).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(4_000)
    trouble.wrote()
    trouble.wrote()
    expect(told).toEqual(['reported', true, 'again', 'again', false])
  })

  test('nearly full: nobody is told that there is room because something small was written', async () => {
    const { trouble, other, told } = open()
    trouble.failed(FULL)
    await vi.advanceTimersByTimeAsync(2_000)
    other.wrote()
    trouble.failed(FULL)
    await vi.advanceTimersByTimeAsync(3_999)
    other.wrote()
    expect(told).toEqual(['reported', true, 'again'])
    await vi.advanceTimersByTimeAsync(1)
    trouble.wrote()
    expect(told).toEqual(['reported', true, 'again', 'again', false])
  })

  test('a device that takes no page has nothing read anew, and is tried less and less often', async () => {
    let tries = 0
    const { trouble, told } = open({
      tryRoom: async () => {
        tries += 1
        if (tries < 3) throw FULL
      },
    })
    trouble.failed(FULL)
    const triesAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return tries
    }
    expect([await triesAfter(2_000), await triesAfter(3_999), await triesAfter(1)]).toEqual([1, 1, 2])
    expect(told).toEqual(['reported', true])
    expect([await triesAfter(7_999), await triesAfter(1)]).toEqual([2, 3])
    expect(told).toEqual(['reported', true, 'again'])
    trouble.wrote()
    expect(told).toEqual(['reported', true, 'again', false])
  })

  test('while it is tried what is small and goes through says nothing', async () => {
    let refuse: (error: Error) => void = () => undefined
    const { trouble, told } = open({ tryRoom: () => new Promise((_, reject) => (refuse = reject)) })
    trouble.failed(FULL)
    await vi.advanceTimersByTimeAsync(2_000)
    trouble.wrote()
    refuse(FULL)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['reported', true])
  })

  test('what fails again within a minute of that is the same to the error log, later it is not', async () => {
    const { trouble, told } = open()
    const reports = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      trouble.failed(FULL)
      await vi.advanceTimersByTimeAsync(2_000)
      trouble.wrote()
      return told.filter((each) => each === 'reported').length
    }
    expect([await reports(0), await reports(1_000), await reports(60_000)]).toEqual([1, 1, 2])
  })

  test('other trouble is reported, and nobody is told that the device is full', async () => {
    const { trouble, told } = open()
    await expect(trouble.guard(failing(new Error('broken')))).rejects.toThrow('broken')
    expect(told).toEqual(['reported'])
  })

  test('a call that found no way is no trouble of the device', async () => {
    const { trouble, told } = open()
    for (const error of [new PullAgain({ kind: 'unreachable' }), new GateClosed('closed')])
      await expect(trouble.guard(failing(error))).rejects.toBe(error)
    await expect(trouble.guard(() => Promise.resolve(1))).resolves.toBe(1)
    expect(told).toEqual([])
  })

  test('a pull waits until the trouble is over; one that ends does not', async () => {
    const { trouble, stop$ } = open()
    trouble.failed(FULL)
    const pulled = vi.fn<() => Promise<void>>(async () => undefined)
    void trouble.guard(pulled)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(pulled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(pulled).toHaveBeenCalledOnce()
    trouble.failed(FULL)
    void trouble.guard(pulled)
    stop$.next()
    await vi.advanceTimersByTimeAsync(0)
    expect(pulled).toHaveBeenCalledTimes(2)
  })

  test('after the end nothing is told any more', async () => {
    const { trouble, told, stop$ } = open()
    stop$.next()
    await expect(trouble.guard(failing(FULL))).rejects.toBe(FULL)
    expect(told).toEqual([])
  })
})
