/** 入館一括登録 on a device that takes some of it and then no more: nothing is lost, and no count is wrong (SV1). */
import { waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { RequestSearchScreen } from '#features/request/request-search-screen.tsx'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { requestOn, storeWindow } from '../../support/visit-records.ts'

/** まとめて登録 with three requests of one place. */
async function openPicking() {
  const db = await openTestDatabase()
  const requests = ['1', '2', '3'].map((id) => requestOn(id, '2026-11-20', { locationAreaId: 'a1' }))
  await storeWindow(db, requests)
  const opened = await renderFeature(<RequestSearchScreen select />, {
    path: '/request',
    href: '/request?select=true',
    db,
  })
  return { ...opened, db }
}

describe('[SV1] a device that takes only some of 入館一括登録', () => {
  test.each([0, 1, 2])(
    '%d of three: it is said, the counts are true, and はい registers the others',
    async (some) => {
      const { screen, user, db, href } = await openPicking()
      const yes = async () =>
        user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'はい' }))
      const entries = async () => (await db.quickReports.find().exec()).map(({ changes }) => changes.length)
      for (const id of ['1', '2', '3'])
        await user.click(await screen.findByRole('checkbox', { name: `選択 R26-${id}` }))
      await user.click(screen.getByRole('button', { name: '3件を入館登録' }))
      await user.click(await screen.findByRole('button', { name: '登録' }))
      const insert = db.quickReports.insertIfNotExists.bind(db.quickReports)
      let taken = 0
      vi.spyOn(db.quickReports, 'insertIfNotExists').mockImplementation((doc) => {
        taken += 1
        const isFull = taken === some + 1
        return isFull ? Promise.reject(new DOMException('no room', 'QuotaExceededError')) : insert(doc)
      })
      for (let question = 0; question < 3; question += 1) await yes()
      const question = within(await screen.findByRole('alertdialog'))
      expect(await question.findByText('端末に保存できませんでした')).toBeTruthy()
      expect(await entries()).toEqual(Array.from({ length: some }, () => 1))
      const told = question.queryByText(/件は保存済です/)?.textContent ?? null
      expect(told).toBe(some === 0 ? null : `${some}件は保存済です。残りの${3 - some}件を登録します。`)
      expect(screen.getByText(`${3 - some}件を選択中`)).toBeTruthy()
      await yes()
      await waitFor(() => expect(href()).toBe('/request'))
      expect(await entries()).toEqual([1, 1, 1])
    },
  )
})
