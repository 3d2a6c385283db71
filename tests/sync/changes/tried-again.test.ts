/** A list that backs off alone is read again when its wait is over, even if the device is busy then (RULES PL8). */
import { Subject, timer } from 'rxjs'
import { expect, test } from 'vitest'
import type { Work } from '#sync/pull/engine/work.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { listOf, pullOf } from '../../support/pull-parts.ts'

const broken: Outcome = { kind: 'unknown', status: 500 }

test('[PL8] a timer that runs before its time: what waits alone is tried when it is due', async () => {
  const begun = performance.now()
  // a browser's timer may fire up to a millisecond early, which is many milliseconds of this clock
  const ticks = {
    now: () => (performance.now() - begun) * 50,
    after$: (ms: number) => timer((ms * 0.7) / 50),
  }
  const wake$ = new Subject<void>()
  let [tries, accepted] = [0, 0]
  const list = listOf('list', async () => {
    tries += 1
    accepted += 1
    return broken
  })
  const { turn } = pullOf({ ticks, accepted: () => accepted, wake: () => wake$.next() }, () => [list])
  wake$.subscribe(() => void turn())
  void turn()
  await expect.poll(() => tries, { timeout: 5_000 }).toBeGreaterThan(3)
  wake$.complete()
})

test('[PL8] a list is tried again also where its question knew of the failure only after the wait was over', async () => {
  const begun = performance.now()
  const ticks = { now: () => (performance.now() - begun) * 100, after$: (ms: number) => timer(ms / 100) }
  const wake$ = new Subject<void>()
  let [tries, accepted, isOld] = [0, 0, true]
  const list: Work<never> = {
    ...listOf('list', async () => {
      tries += 1
      accepted += 1
      return broken
    }),
    fetchRequest: { key: 'list', askedAt: '' },
    failed: async () => (isOld = true),
  }
  const { engine, turn } = pullOf(
    {
      ticks,
      accepted: () => accepted,
      wake: () => wake$.next(),
      // the device is busy for longer than the back-off, which takes 5 ms of this clock
      answer: () => new Promise((resolve) => setTimeout(resolve, 100)),
    },
    () => {
      // the plan does not change until something new may be due
      const lists = isOld && engine.mayStart('list') ? [list] : []
      isOld = false
      return lists
    },
  )
  wake$.subscribe(() => {
    isOld = true
    engine.recheck()
    void turn()
  })
  void turn()
  await expect.poll(() => tries, { timeout: 5_000 }).toBeGreaterThan(2)
  wake$.complete()
})
