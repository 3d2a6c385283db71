/** A clock that stands a second before midnight in Tokyo, however slow the machine is, until the test lets it pass. */
import { act } from '@testing-library/react'
import { testClock } from './render-feature.tsx'

const MIDNIGHT = Date.parse('2026-11-21T00:00:00+09:00')
const LEFT_MS = 1_000

export function nearMidnight() {
  let at = MIDNIGHT - LEFT_MS
  let looks = 0
  return {
    // no two looks say the same, or what tells the minutes would think that none passes
    clock: testClock(() => at + Math.min(++looks, LEFT_MS - 1)),
    async pass() {
      at = MIDNIGHT + 30_000
      await act(async () => new Promise<void>((done) => setTimeout(done, LEFT_MS + 400)))
    },
  }
}
