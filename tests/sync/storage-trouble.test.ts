import { expect, test } from 'vitest'
import { afterFailure, afterWrite, isFull, isWriteError, NO_TROUBLE } from '#sync/storage/storage-trouble.ts'

test('[ST4] the wait doubles from 2 seconds to 5 minutes; failures of one moment count once', () => {
  let trouble = NO_TROUBLE
  const waits: number[] = []
  for (let now = 0; waits.length < 10; now = trouble.until) {
    trouble = afterFailure(trouble, now)
    waits.push(trouble.until - now)
    expect(afterFailure(trouble, now + 1)).toEqual(trouble)
  }
  expect(waits.slice(0, 3)).toEqual([2_000, 4_000, 8_000])
  expect(waits.at(-1)).toBe(300_000)
})
test('[ST4] a write ends it, but not one that was under way when another failed', () => {
  const trouble = afterFailure(NO_TROUBLE, 0)
  expect(afterWrite(trouble, 1_999)).toBe(trouble)
  expect(afterWrite(trouble, 2_000)).toBe(NO_TROUBLE)
})
test.each([
  [new DOMException('no', 'QuotaExceededError'), true],
  [{ name: 'AbortError', inner: { name: 'QuotaExceededError' } }, true],
  [new Error('QuotaExceededError'), false],
  [null, false],
])('[ST4] %o: full %s', (error, full) => expect(isFull(error)).toBe(full))
test('[ST4] what a handler threw is no failed write', () => {
  expect(isWriteError({ parameters: { direction: 'pull' } })).toBe(false)
  expect(isWriteError({ parameters: { writeError: {} } })).toBe(true)
  expect(isWriteError(new Error('any'))).toBe(true)
})
