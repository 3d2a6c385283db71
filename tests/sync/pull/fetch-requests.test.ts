/** Fetch requests and receipts share a collection, each with its own codec and query (`sync/storage/database.ts`). */
import { expect, test } from 'vitest'
import type { Interest } from '#schemas/device/interest.ts'
import {
  type SyncDatabase,
  fetchRequestAnswerer,
  fetchRequestsIn,
  type Receipt,
  receiptRow,
  receiptsIn,
} from '#sync/storage/database.ts'
import { askList, askRefresh } from '#data/fetch-requests/interests.ts'
import { replicationScene } from '../../support/replication.ts'

const AT = '2026-11-20T00:00:00.000Z'
const receipt: Receipt = { owner: 'area_1', basis: 'd1', at: AT, stamp: '1-0-crm' }
const app = replicationScene()

test('[PL4] a receipt comes back from its row as it was written, and is of one collection', async () => {
  const { db } = await app.open({ online: false })
  await db.interests.bulkUpsert([receiptRow('noteLocationAreas', receipt)])
  expect(await receiptsIn(db, 'noteLocationAreas')).toEqual([receipt])
  expect(await receiptsIn(db, 'pastReports')).toEqual([])
})

test('[PL8] a fetch request is no receipt, and a receipt no fetch request', async () => {
  const { db } = await app.open({ online: false })
  const list = { collection: 'pastReports', owner: 'device-1' } as const
  await askList(db, Date.parse(AT), list)
  await askRefresh(db, Date.parse(AT))
  await db.interests.bulkUpsert([receiptRow('pastReports', receipt)])
  expect(await receiptsIn(db, 'pastReports')).toEqual([receipt])
  expect((await fetchRequestsIn(db)).map(({ kind }) => kind).toSorted()).toEqual(['list', 'refresh'])
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
