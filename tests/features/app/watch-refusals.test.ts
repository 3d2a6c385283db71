import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { blankLedgerEntry } from '#schemas/change-queue.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import { watchRefusals } from '#app/watch-refusals.ts'
import { i18n } from '../../support/i18n.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { reportHere } from '../emergency-report/open-emergency.tsx'

/** The row of a change that is on its way. */
function entryOf(id: string) {
  const record = reportHere(id)
  const [change] = record.changes
  if (!change) throw new Error('saved')
  const item = { record: { resource: 'emergencyReports', ...record }, change: { ...change, id } }
  return { ...blankLedgerEntry(item), state: 'sending' as const }
}

async function watch(...ids: string[]) {
  const db = await openTestDatabase()
  await db.ledger.bulkInsert(ids.map(entryOf))
  const tell = vi.fn<(text: string) => void>()
  const watching = watchRefusals(db, i18n, tell)
  // what was refused before the first read counts as told
  await db.ledger.find({ selector: { state: 'refused' } }).exec()
  const refuse = async (id: string, reasons: string[], over: object = {}) =>
    (await db.ledger.findOne(id).exec())?.incrementalPatch({ state: 'refused', reasons, ...over })
  return { db, tell, refuse, watching }
}

test.each([
  [
    '202, a key of the table',
    ['ec00030'],
    202,
    '緊急報告登録：すでに登録されているか、未反映の変更依頼があるため、登録できません。',
  ],
  ['400, plain text', ['受付を終了しました。'], 400, '緊急報告登録：受付を終了しました。'],
  [
    '422, several: one below another',
    ['ec00010', '二つ目'],
    422,
    '緊急報告登録：確認済みのため、更新できません。\n二つ目',
  ],
  ['404 without a word', [], 404, '緊急報告登録：該当するデータがありません。'],
  ['400 without a word', [], 400, '緊急報告登録：システムエラーが発生しました。'],
])('[spec 8] %s is said as it is refused', async (_, reasons, status, text) => {
  const { tell, refuse, watching } = await watch('c1')
  await refuse('c1', reasons, { status, settledAt: '2026-11-20T03:00:00.000Z' })
  await waitFor(() => expect(tell.mock.calls).toEqual([[text]]))
  watching.unsubscribe()
})

test('[spec 8] a photo that could not be stored speaks for itself', async () => {
  const { db, tell, refuse, watching } = await watch()
  await db.ledger.insert({ ...entryOf('p1'), resource: PHOTOS })
  await refuse('p1', ['ec00017'])
  await waitFor(() => expect(tell.mock.calls).toEqual([['ファイルの保存に失敗しました。']]))
  watching.unsubscribe()
})

test('once for each refusal: what was refused before is not said again, a resent one is', async () => {
  const { db, tell, refuse, watching } = await watch('c1', 'c2')
  await refuse('c1', ['一度目'], { settledAt: '2026-11-20T03:00:00.000Z' })
  await waitFor(() => expect(tell).toHaveBeenCalledTimes(1))
  watching.unsubscribe()

  const again = vi.fn<(text: string) => void>()
  const next = watchRefusals(db, i18n, again)
  await refuse('c2', ['別の'], { settledAt: '2026-11-20T03:01:00.000Z' })
  await waitFor(() => expect(again.mock.calls).toEqual([['緊急報告登録：別の']]))
  await (await db.ledger.findOne('c1').exec())?.incrementalPatch({ state: 'sending' })
  await refuse('c1', ['二度目'], { settledAt: '2026-11-20T03:02:00.000Z' })
  await waitFor(() => expect(again.mock.calls.at(-1)).toEqual(['緊急報告登録：二度目']))
  expect(again).toHaveBeenCalledTimes(2)
  next.unsubscribe()
})
