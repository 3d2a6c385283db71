/** What the leading tab does for a decision of the user in 送信状況. */
import { BehaviorSubject, NEVER, Subject } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { blankLedgerEntry } from '#schemas/change-queue.ts'
import { leaderDuties } from '#sync/runtime/leader-duties.ts'
import { createLocks } from '#sync/leadership/locks.ts'
import { rxQueueStore } from '#sync/queue/queue-store.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { Disk, modelDb } from '../simulate/model-db.ts'

afterEach(() => vi.useRealTimers())

test('[ST4][OC10] a decision hurries the lanes once, however often a full device keeps it from being carried out', async () => {
  vi.useFakeTimers()
  const disk = new Disk('phone', 'u1')
  let tries = 0
  const store = rxQueueStore(
    modelDb(disk, async (kind, effect) => {
      if (kind === 'write') tries += 1
      if (kind === 'write') throw new DOMException('disk full', 'QuotaExceededError')
      return effect()
    }),
  )
  const entry = {
    ...blankLedgerEntry({
      record: {
        resource: 'quickReports',
        key: 'r1_2026-11-20',
        requestId: 'r1',
        workingDate: '2026-11-20',
        serverId: '',
        changes: [],
        unsent: 'yes',
      },
      change: {
        id: 'c1',
        kind: 'entry',
        userId: 'u1',
        stamp: '1',
        savedAt: '2026-11-20T01:00:00Z',
        offline: false,
        fields: {},
      },
    }),
    wish: 'discard' as const,
  }
  disk.write('ledger', entry.id, entry)
  const wished$ = new BehaviorSubject([{ toMutableJSON: () => entry }])
  const nudge$ = new Subject<void>()
  let nudges = 0
  nudge$.subscribe(() => (nudges += 1))
  const stop$ = new Subject<void>()
  leaderDuties({
    db: {
      ledger: { find: () => ({ $: wished$ }) },
      interests: { find: () => ({ $: NEVER }) },
    } as unknown as SyncDatabase,
    store,
    locks: createLocks(undefined),
    now: () => 0,
    random: () => 0,
    inFlight: { run: (work) => work(), ended: async () => undefined },
    stop$,
    nudge$,
    refresh: () => undefined,
    pull: () => undefined,
    look: () => undefined,
  })
  await vi.advanceTimersByTimeAsync(60_000)
  stop$.next()
  expect(tries).toBeGreaterThan(3)
  expect(nudges).toBe(1)
})
