/** What the leading tab does for a decision of the user in 送信状況. */
import { NEVER, Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { leaderDuties } from '#sync/runtime/start-sync.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'

test('[ST4][OC10] a decision hurries the lanes once, however often its change is written before it is carried out', () => {
  const written$ = new Subject<object>()
  const nudge$ = new Subject<void>()
  let nudges = 0
  nudge$.subscribe(() => (nudges += 1))
  const nothing = () => undefined
  const db = {
    changes: { $: written$ },
    photos: { $: NEVER },
    interests: { find: () => ({ $: NEVER }) },
  } as unknown as SyncDatabase
  leaderDuties(db, { refetch: nothing, pull: nothing, replan: nothing }, nudge$, NEVER)
  const wrote = (before: string | null, wish: string) => {
    written$.next({
      documentData: { wish },
      ...(before !== null && { previousDocumentData: { wish: before } }),
    })
    return nudges
  }
  expect(wrote(null, 'none')).toBe(0)
  expect(wrote('none', 'resend')).toBe(1)
  expect(wrote('resend', 'resend')).toBe(1)
  expect(wrote('resend', 'none')).toBe(1)
  expect(wrote('none', 'discard')).toBe(2)
})
