/** Questions and receipts share a collection, each with its own codec and query (`sync/storage/interests.ts`). */
import { expect, test } from 'vitest'
import type { Interest } from '#schemas/interest.ts'
import { questionOf, receiptOf, receiptRow, type Receipt } from '#sync/storage/interests.ts'

const AT = '2026-11-20T00:00:00.000Z'
const receipt: Receipt = { owner: 'area_1', because: 'd1', at: AT, stamp: '1-0-crm' }
const KINDS = ['search', 'detail', 'refresh', 'photos', 'list'] as const

test('[PL4] a receipt comes back from its row as it was written, and is of one collection', () => {
  const row = receiptRow('noteLocationAreas', receipt)
  expect(receiptOf('noteLocationAreas', row)).toEqual(receipt)
  expect(receiptOf('pastReports', row)).toBeNull()
  expect(questionOf(row)).toBeNull()
})

test.each(KINDS)('[PL8] a question of kind %s is no receipt, and has nothing of one', (kind) => {
  const row: Interest = {
    ...receiptRow('pastReports', receipt),
    kind,
    state: 'asked',
    recordKey: 'device-1',
  }
  expect(receiptOf('pastReports', row)).toBeNull()
  const question = questionOf(row)
  expect(question).toMatchObject({ kind, state: 'asked', recordKey: 'device-1', askedAt: AT })
  expect(question).not.toHaveProperty('because')
  expect(question).not.toHaveProperty('stamp')
})
