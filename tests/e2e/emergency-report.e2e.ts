/** 緊急報告 from a phone without signal to the CRM, with a photo, and a page that is killed before it was saved. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

/** A real picture, larger than what is kept of it by default. */
const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('[SV1] a photo taken offline, the page killed: the draft comes back; sent as original it is the same, byte for byte', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  await phone.page.goto('/settings')
  await phone.page.getByRole('switch', { name: '写真を元のサイズで送信' }).check()
  await phone.page.goto('/request')
  const row = await freeRequest(crm)
  await readyForOffline(phone.page)
  await phone.offline(true)
  await phone.page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await phone.page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await phone.page.getByRole('link', { name: '新規登録' }).click()
  await phone.page.getByRole('checkbox', { name: '機器面' }).check()
  await phone.page.getByLabel('緊急内容詳細').fill('2号機も過負荷で停止しました。')
  await phone.page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(phone.page.getByText('待機', { exact: true })).toBeVisible()
  // as a phone tells a page that goes to the background; what comes after it is a kill
  await phone.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  const form = phone.page.url()

  await phone.kill()
  await phone.offline(true)
  await phone.page.goto(form)
  await expect(phone.page.getByText('入力途中の内容を復元しました。')).toBeVisible()
  await expect(phone.page.getByRole('checkbox', { name: '機器面' })).toBeChecked()
  await expect(phone.page.getByLabel('緊急内容詳細')).toHaveValue('2号機も過負荷で停止しました。')
  await expect(phone.page.getByText('待機', { exact: true })).toBeVisible()
  await phone.page.getByRole('checkbox', { name: '冠水・水没' }).check()
  await phone.page.getByRole('radio', { name: '当日' }).check()
  await phone.page.getByRole('radio', { name: '連絡済' }).check()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await expect(phone.page.getByText('2号機も過負荷で停止しました。')).toBeVisible()
  await expect(phone.page.getByRole('button', { name: '写真1を開く' })).toBeVisible()

  await phone.offline(false)
  await expect
    .poll(async () => (await crm.state()).files.map(({ sha256: hash }) => hash))
    .toEqual([sha256(readFileSync(PICTURE))])
  const mine = (await crm.state()).emergencyReports.filter(({ origin }) => origin === 'call')
  expect(mine).toMatchObject([
    {
      requestId: row.id,
      workingDate: row.workingDate,
      emergencyContents: '2',
      risk: '3',
      correspondenceDate: '1',
      ttsStaffContact: '2',
      emergencyContentsDetails: '2号機も過負荷で停止しました。',
    },
  ])
  await expect(phone.page.getByRole('link', { name: /未送信/ })).toHaveCount(0)

  await phone.page.getByRole('link', { name: '編集' }).click()
  await expect(phone.page.getByText('入力途中の内容を復元しました。')).toHaveCount(0)
  await phone.page.getByLabel('緊急内容詳細').fill('排水を終えました。')
  await phone.page.getByRole('button', { name: /を削除$/ }).click()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('正常に保存されました')).toBeVisible()
  await expect.poll(async () => (await crm.state()).files).toEqual([])
  await expect
    .poll(async () =>
      (await crm.state()).emergencyReports
        .filter(({ origin }) => origin === 'call')
        .map(({ emergencyContentsDetails }) => emergencyContentsDetails),
    )
    .toEqual(['排水を終えました。'])
  expect(phone.errors).toEqual([])
})
