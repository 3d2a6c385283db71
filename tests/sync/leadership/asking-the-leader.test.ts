/** How often a tab in line asks whether the leader is still there, in virtual time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BehaviorSubject, Subject } from 'rxjs'
import type { TabLocks } from '#sync/leadership/lease.ts'
import { anyInSight$, inLine } from '#sync/leadership/leadership.ts'

const SECOND = 1_000
const LEADS = { stop: async () => undefined }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A tab behind one that has the lock for good. */
function waitingTab() {
  const messages$ = new Subject<string>()
  const visible$ = new BehaviorSubject(true)
  const leader = { answers: true }
  const seen = { asks: 0, leadsAt: null as number | null }
  const channel = {
    messages$,
    say() {
      seen.asks += 1
      if (leader.answers) void Promise.resolve().then(() => messages$.next('here'))
    },
    close: () => undefined,
  }
  const locks: TabLocks = {
    request: (_, run) => run({ allows: () => true }),
    lead: (_, run, { steal, signal }) =>
      steal
        ? run(new AbortController().signal)
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  }
  const begin = performance.now()
  const tab = inLine({ locks, channel, visible$ }, 'lead', () => {
    seen.leadsAt = performance.now() - begin
    return LEADS
  })
  return { leader, seen, visible$, tab }
}

test('[TB1] a leader that answers is asked every half minute, and not more often', async () => {
  const { seen, tab } = waitingTab()
  await vi.advanceTimersByTimeAsync(600 * SECOND)
  expect(seen.leadsAt).toBeNull()
  expect(seen.asks).toBeGreaterThan(15)
  expect(seen.asks).toBeLessThanOrEqual(600 / 30 + 1)
  await tab.stop()
})

test('[TB1][PL5] while a tab in line is in sight, the leader reads as if it were itself; half a minute after, it does not', async () => {
  const { seen, visible$: sight$, tab } = waitingTab()
  const messages$ = new Subject<string>()
  const channel = { messages$, say: () => undefined, close: () => undefined }
  const visible$ = new BehaviorSubject(true)
  const told: boolean[] = []
  const telling = anyInSight$({ channel, visible$ }).subscribe((is) => told.push(is))
  visible$.next(false)
  expect(told).toEqual([true, false])
  /** What the tab in line says is heard. */
  let asks = 0
  async function pass(seconds: number) {
    for (let second = 0; second < seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(SECOND)
      if (seen.asks > asks) messages$.next('ask')
      asks = seen.asks
    }
  }
  await pass(600)
  expect(told).toEqual([true, false, true])
  sight$.next(false)
  await pass(45)
  expect(told).toEqual([true, false, true, false])
  visible$.next(true)
  expect(told).toEqual([true, false, true, false, true])
  telling.unsubscribe()
  await tab.stop()
})

test('[TB1a] one that stops to answer is taken over within 55 seconds', async () => {
  const { leader, seen, tab } = waitingTab()
  await vi.advanceTimersByTimeAsync(66 * SECOND)
  leader.answers = false
  await vi.advanceTimersByTimeAsync(55 * SECOND)
  expect(seen.leadsAt).not.toBeNull()
  await tab.stop()
})

test('[TB1a] one that never answers is taken over after 25 seconds', async () => {
  const { leader, seen, tab } = waitingTab()
  leader.answers = false
  await vi.advanceTimersByTimeAsync(24 * SECOND)
  expect(seen.leadsAt).toBeNull()
  await vi.advanceTimersByTimeAsync(2 * SECOND)
  expect(seen.leadsAt).not.toBeNull()
  await tab.stop()
})

test('[TB1] a tab that slept itself begins to ask anew', async () => {
  const { leader, seen, tab } = waitingTab()
  leader.answers = false
  await vi.advanceTimersByTimeAsync(16 * SECOND)
  // its clock went on, its timers did not
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + 300 * SECOND)
  await vi.advanceTimersByTimeAsync(10 * SECOND)
  expect(seen.leadsAt).toBeNull()
  vi.mocked(performance.now).mockRestore()
  await tab.stop()
})

test('[TB1] a tab out of sight asks nothing', async () => {
  const { seen, visible$, tab } = waitingTab()
  visible$.next(false)
  await vi.advanceTimersByTimeAsync(600 * SECOND)
  expect(seen.asks).toBe(0)
  await tab.stop()
})
