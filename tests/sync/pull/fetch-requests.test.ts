/** Fetch requests and receipts share a collection, each with its own codec and query (`sync/storage/database.ts`). */
import { expect, test } from 'vitest'
import type { Interest } from '#schemas/device/interest.ts'
import {
  type SyncDatabase,
  fetchRequestAnswerer,
  type Receipt,
  receiptOf,
  receiptRow,
} from '#sync/storage/database.ts'

const AT = '2026-11-20T00:00:00.000Z'
const receipt: Receipt = { owner: 'area_1', basis: 'd1', at: AT, stamp: '1-0-crm' }
const KINDS = ['search', 'detail', 'refresh', 'photos', 'list'] as const

test('[PL4] a receipt comes back from its row as it was written, and is of one collection', () => {
  const row = receiptRow('noteLocationAreas', receipt)
  expect(receiptOf('noteLocationAreas', row)).toEqual(receipt)
  expect(receiptOf('pastReports', row)).toBeNull()
})

test.each(KINDS)('[PL8] a fetch request of kind %s is no receipt', (kind) => {
  const row: Interest = {
    ...receiptRow('pastReports', receipt),
    kind,
    state: 'asked',
    recordKey: 'device-1',
  }
  expect(receiptOf('pastReports', row)).toBeNull()
})

test('[PL8] a fetch request that another tab makes anew while this one is answered is still to be answered', async () => {
  const asked = { ...receiptRow('pastReports', receipt), kind: 'refresh' as const, state: 'asked' as const }
  const again = { ...asked, askedAt: '2026-11-20T00:00:01.000Z' }
  let row: Interest = again
  // as this tab has heard of it; a write goes by what is on the disk
  const doc = {
    ...asked,
    incrementalPatch: async (patch: Partial<Interest>) => void (row = { ...row, ...patch }),
    incrementalModify: async (change: (latest: Interest) => Interest) => void (row = change(row)),
  }
  const db = { interests: { findOne: () => ({ exec: async () => doc }) } } as unknown as SyncDatabase
  await fetchRequestAnswerer(db, { now: () => 0 })({ fetchRequest: asked, state: 'answered', total: 1 })
  expect(row).toEqual(again)
  row = asked
  await fetchRequestAnswerer(db, { now: () => 0 })({ fetchRequest: asked, state: 'answered', total: 1 })
  expect(row).toMatchObject({ state: 'answered', total: 1, askedAt: AT })
})
