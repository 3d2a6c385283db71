/** One save, one story: the banner of a save that the CRM refuses leads to its card, and changes when it was resent. */
import { expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('[ST1][spec 8] sending, refused with its reason and the way there, resent, saved', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  const row = await freeRequest(crm)
  const refusal = { kind: 'status', status: 202, body: { message: 'ec00003' } }
  await crm.faults([
    { id: 'slow', kind: 'delay', ms: 1_500, path: 'emergencyReport/$', method: 'POST', count: 'always' },
    { id: 'refused', ...refusal, path: 'emergencyReport/$', method: 'POST', count: 1 },
  ])
  await page.goto(`/emergencyReport/${row.id}?workingDate=${row.workingDate}`)
  await expect(page.getByText('緊急報告はありません')).toBeVisible()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByRole('checkbox', { name: '機器面' }).check()
  await page.getByRole('checkbox', { name: '冠水・水没' }).check()
  await page.getByRole('radio', { name: '当日' }).check()
  await page.getByRole('radio', { name: '連絡済' }).check()
  await page.getByLabel('緊急内容詳細').fill('2号機も過負荷で停止しました。')
  await page.getByRole('button', { name: '保存' }).click()

  await expect(page.getByRole('status').filter({ hasText: '保存しました。送信中です' })).toBeVisible()
  await expect(page.getByText('正常に保存されました')).toHaveCount(0)
  const banner = page.getByRole('alert').filter({ hasText: '緊急報告登録を送信できませんでした' })
  await expect(banner).toContainText('文字数の上限を超えている項目があります。')
  await expect(banner).toContainText('「内容を開く」から直して、保存し直してください。')
  await expect(page.getByText('保存しました。送信中です')).toHaveCount(0)

  await banner.getByRole('link', { name: '送信状況で確認' }).click()
  const card = page.getByRole('article', { name: '緊急報告登録' })
  await expect(card).toBeFocused()
  await crm.faults([])
  await card.getByRole('button', { name: '再送' }).click()
  await expect(banner).toHaveCount(0)
  await expect(page.getByText('正常に保存されました')).toBeVisible()
  expect((await crm.state()).emergencyReports.filter(({ origin }) => origin === 'call')).toHaveLength(1)
  expect(phone.errors).toEqual([])
})

test('[spec 4] a save without a signal says which record it is, and lies over no field of the next form, 320 px @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  await page.setViewportSize({ width: 320, height: 640 })
  const row = await freeRequest(crm)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await context.setOffline(true)
  await registerEntry(page)
  const banner = page.getByRole('status').filter({ hasText: '端末に保存しました' })
  await expect(banner).toContainText(/^入館登録：.+電波がないため/)
  await expect(banner.getByRole('button', { name: '元に戻す' })).toBeVisible()
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await expect(page.getByRole('button', { name: '保存' })).toBeInViewport({ ratio: 1 })
  await expect(banner).toBeHidden()
})
