/** 緊急報告 from a phone without signal to the CRM, with a photo, and a page that is killed before it was saved. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, freeRequest, killHidden, readyForOffline, test } from './phone.ts'

/** A PNG of noise, longer than what is kept of it by default. */
function picture(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const row = width * 3 + 1
  const pixels = randomBytes(row * height)
  for (let at = 0; at < pixels.length; at += row) pixels[at] = 0
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([magic, ...parts])
}

const PICTURE = { name: '2号機.png', mimeType: 'image/png', buffer: picture(2400, 40) }
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
  await expect(phone.page.getByText('入力途中', { exact: true })).toBeVisible()
  const form = phone.page.url()
  const isBack = async (page: Page) => {
    await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: '機器面' })).toBeChecked()
    await expect(page.getByLabel('緊急内容詳細')).toHaveValue('2号機も過負荷で停止しました。')
    await expect(page.getByText('入力途中', { exact: true })).toBeVisible()
  }

  await killHidden(phone, isBack)
  await phone.offline(true)
  await phone.page.goto(form)
  await isBack(phone.page)
  await phone.page.getByRole('checkbox', { name: '冠水・水没' }).check()
  await phone.page.getByRole('radio', { name: '当日' }).check()
  await phone.page.getByRole('radio', { name: '連絡済' }).check()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await expect(phone.page.getByText('2号機も過負荷で停止しました。')).toBeVisible()
  await expect(phone.page.getByRole('button', { name: '写真1を開く' })).toBeVisible()

  await phone.offline(false)
  // a browser that was killed may call itself online: then the report has left without an answer, and is looked for twice, 20 s
  // apart, before it leaves again (RULES OC9)
  await expect
    .poll(async () => (await crm.state()).files.map(({ sha256: hash }) => hash), { timeout: 60_000 })
    .toEqual([sha256(PICTURE.buffer)])
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

  // edited: the photo is replaced, and reduced as it is by default
  const [first] = (await crm.state()).emergencyReports.filter(({ origin }) => origin === 'call')
  await phone.page.goto('/settings')
  await phone.page.getByRole('switch', { name: '写真を元のサイズで送信' }).uncheck()
  await phone.page.goto(`/emergencyReport/${first?.id}/edit`)
  await phone.page.getByLabel('緊急内容詳細').fill('排水を終えました。')
  await expect(phone.page.getByText('入力途中の内容を復元しました。')).toHaveCount(0)
  await phone.page.getByRole('button', { name: /を削除$/ }).click()
  await phone.page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(phone.page.getByText('入力途中', { exact: true })).toBeVisible()
  await phone.page.getByRole('button', { name: '保存' }).click()
  await expect(phone.page.getByText('正常に保存されました')).toBeVisible()
  await expect
    .poll(async () =>
      (await crm.state()).files.map(({ name, size }) => [name.slice(18), size < PICTURE.buffer.length]),
    )
    .toEqual([['2号機.jpg', true]])
  await expect
    .poll(async () =>
      (await crm.state()).emergencyReports
        .filter(({ origin }) => origin === 'call')
        .map(({ emergencyContentsDetails }) => emergencyContentsDetails),
    )
    .toEqual(['排水を終えました。'])
  expect(phone.errors).toEqual([])
})
