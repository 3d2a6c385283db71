/** Whether it is the CRM that does not answer, or one list (RULES PL8; decision 0038). */
import { describe, expect, test } from 'vitest'
import type { Outcome } from '#sync/outcome.ts'
import { isWaiting, OWN_RETRY_MAX_MS, troubleAfter, type Trouble } from '#sync/own-backoff.ts'

const broken: Outcome = { kind: 'unknown', status: 500 }
const gone: Outcome = { kind: 'unreachable' }

/** Tries one after another: what came of each, and how many calls the CRM accepted during it. */
function after(tries: readonly [Outcome, number][]): Trouble | undefined {
  let trouble: Trouble | undefined
  let accepted = 7
  for (const [outcome, meanwhile] of tries) {
    const acceptedBefore = accepted
    accepted += meanwhile
    trouble = troubleAfter(trouble, { now: 1_000, random: 0, outcome, acceptedBefore, accepted })
  }
  return trouble
}

describe('[PL8] a list that fails', () => {
  test.each<[string, [Outcome, number][], boolean]>([
    ['5xx, and nothing else was accepted', [[broken, 0]], false],
    ['5xx, and something was', [[broken, 1]], true],
    ['no answer, and something was: it may have been the signal', [[gone, 1]], false],
    [
      'no answer twice, and something was',
      [
        [gone, 1],
        [gone, 0],
      ],
      true,
    ],
    [
      '5xx twice, something was in between',
      [
        [broken, 0],
        [broken, 1],
      ],
      true,
    ],
    [
      'all of it is down',
      [
        [broken, 0],
        [broken, 0],
        [gone, 0],
      ],
      false,
    ],
    [
      'it was its own, and now all of it is down',
      [
        [broken, 1],
        [gone, 0],
      ],
      true,
    ],
  ])('%s', (_, tries, isOwn) => {
    expect(after(tries)?.isOwn).toBe(isOwn)
  })

  test('waits alone, twice as long each time, up to five minutes', () => {
    const waits = Array.from({ length: 14 }, (_, n) => after(Array(n + 1).fill([broken, 1])))
    const ms = waits.map((trouble) => (trouble?.notBefore ?? 0) - 1_000)
    expect(ms.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000])
    expect(ms.at(-1)).toBe(OWN_RETRY_MAX_MS)
    expect(isWaiting(waits[0], 1_499)).toBe(true)
    expect(isWaiting(waits[0], 1_500)).toBe(false)
  })

  test('what may be the CRM is not left alone: the gate waits', () => {
    expect(isWaiting(after([[broken, 0]]), 1_000)).toBe(false)
  })
})
