import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { readPdf } from '../support/pdf-reader.ts'
import { expectNoViolations } from './axe.ts'
import { expect, freeRequest, readyForOffline, registerEntry, test, type Crm, type Phone } from './phone.ts'

const popupOf = (page: Page) => page.getByRole('dialog', { name: '作業報告書' })
const openPopup = (page: Page) => page.getByRole('button', { name: '作業報告書' }).click()

async function closePopup(page: Page) {
  await popupOf(page).getByRole('button', { name: '閉じる' }).click()
  await expect(popupOf(page)).toBeHidden()
}

/** Makes the report. @returns what another program reads of it */
async function makeReport(page: Page) {
  await popupOf(page)
    .getByRole('button', { name: /^(?:もう一度)?作成$/ })
    .click()
  return readMade(page)
}

/** Saves what was made, and reads it. */
async function readMade(page: Page) {
  const save = popupOf(page).getByRole('button', { name: '端末に保存' })
  await expect(save).toBeVisible({ timeout: 60_000 })
  const saved = page.waitForEvent('download')
  await save.click()
  const bytes = Uint8Array.from(readFileSync(await (await saved).path()))
  return { ...(await readPdf(bytes)), size: bytes.length }
}

/** A request of today is open, and reports can be made underground. */
async function ready(crm: Crm, { page, signIn }: Phone) {
  await signIn()
  const row = await freeRequest(crm)
  await readyForOffline(page)
  const address = `/request/${row.id}?workingDate=${row.workingDate}`
  await page.goto(address)
  await openPopup(page)
  await popupOf(page).getByRole('button', { name: 'この端末で使えるようにする' }).click()
  await expect(popupOf(page).getByText('電波がなくても作成できます')).toBeVisible({ timeout: 60_000 })
  await expectNoViolations(page, '作業報告書')
  return { row, address }
}

test('[issue 54] 作業報告書 underground: request, entry, what is unsent, a signature that outlives a kill', async ({
  crm,
  phone,
}) => {
  const { row, address } = await ready(crm, phone)
  await closePopup(phone.page)
  await phone.offline(true)
  await phone.page.reload()
  await registerEntry(phone.page)
  await openPopup(phone.page)
  await popupOf(phone.page).getByLabel('立会者名').fill('髙﨑 德一')
  const pad = popupOf(phone.page).getByRole('img', { name: '署名欄（未記入）' })
  // waits until the sheet no longer moves
  await pad.hover({ position: { x: 40, y: 20 } })
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0 }
  await phone.page.mouse.down()
  await phone.page.mouse.move(box.x + 120, box.y + 60, { steps: 5 })
  await phone.page.mouse.up()
  await expect(popupOf(phone.page).getByRole('img', { name: '署名欄（署名あり）' })).toBeVisible()
  const made = await makeReport(phone.page)
  const whole = made.pages.join('\n')
  expect([made.language, made.title]).toEqual(['ja', expect.stringContaining(row.requestCode)])
  expect(made.bookmarks).toEqual(
    expect.arrayContaining(['依頼', '機器', '入退館・作業内容', '安全対策', '立会者の署名']),
  )
  expect(made.alts).toEqual(['立会者の署名 髙﨑 德一'])
  for (const text of [row.ttsOrder.locationArea.name, '未送信（待機）', 'CRM確認済', '髙﨑 德一'])
    expect(whole).toContain(text)
  await expectNoViolations(phone.page, '作業報告書: made')

  await phone.kill()
  await phone.offline(true)
  await phone.page.goto(address)
  await openPopup(phone.page)
  await expect(popupOf(phone.page).getByRole('img', { name: '署名欄（署名あり）' })).toBeVisible()
  expect((await makeReport(phone.page)).alts).toEqual(['立会者の署名 髙﨑 德一'])
})

/** A picture as a phone stores it: 3 megapixels, with some noise. */
const photo = (page: Page) =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2048, 1536)
    const context = canvas.getContext('2d')
    const pixels = context?.createImageData(2048, 1536)
    if (!context || !pixels) throw new Error('no canvas')
    const noise = crypto.getRandomValues(new Uint8Array(65_536))
    pixels.data.forEach((_, at) => {
      pixels.data[at] = at % 4 === 3 ? 255 : 90 + ((at >> 13) % 100) + (noise[at % 65_521] ?? 0) / 6
    })
    context.putImageData(pixels, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
    return Array.from(new Uint8Array(await blob.arrayBuffer()))
  })

/** An 緊急報告 of the request on the screen, with these photos. */
async function reportEmergency(page: Page, photos: string[]) {
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByRole('checkbox', { name: '機器面' }).check()
  await page.getByRole('checkbox', { name: '冠水・水没' }).check()
  await page.getByRole('radio', { name: '当日' }).check()
  await page.getByRole('radio', { name: '連絡済' }).check()
  await page.getByLabel('緊急内容詳細').fill('2号機も過負荷で停止しました。')
  await page.getByLabel('写真を追加').setInputFiles(photos)
  const taken = page.getByRole('group', { name: '写真' }).getByText('入力途中', { exact: true })
  await expect(taken).toHaveCount(photos.length, { timeout: 240_000 })
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '緊急報告一覧' })).toBeVisible({ timeout: 60_000 })
}

async function openWithPhotos(page: Page, address: string) {
  await page.goto(address)
  await openPopup(page)
  await expect(popupOf(page).getByText('写真 40枚')).toBeVisible({ timeout: 60_000 })
}

/** The longest time between two frames, until it is asked for. */
const watchFrames = (page: Page) =>
  page.evaluate(() => {
    const frames = { last: performance.now(), longest: 0 }
    const next = (now: number) => {
      frames.longest = Math.max(frames.longest, now - frames.last)
      frames.last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    Reflect.set(globalThis, 'frames40', frames)
  })

test('[issue 54] forty photos, two or six a sheet: below 10 MB, with progress, and it can be stopped or killed @slow', async ({
  crm,
  phone,
}) => {
  test.setTimeout(600_000)
  const { row, address } = await ready(crm, phone)
  await closePopup(phone.page)
  await phone.offline(true)
  const bytes = Buffer.from(await photo(phone.page))
  const files = Array.from({ length: 40 }, (_, at) => test.info().outputPath(`IMG_${at}.jpg`))
  for (const file of files) writeFileSync(file, bytes)
  await reportEmergency(phone.page, files)
  await openWithPhotos(phone.page, address)
  await popupOf(phone.page).getByRole('button', { name: '作成', exact: true }).click()
  await expect(popupOf(phone.page).getByText(/^作成しています/)).toBeVisible()
  await phone.kill()
  await phone.offline(true)
  const { page } = phone
  await openWithPhotos(page, address)
  const slow = await phone.context.newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await popupOf(page).getByRole('button', { name: '作成', exact: true }).click()
  await popupOf(page).getByRole('button', { name: 'やめる' }).click()
  await expect(popupOf(page).getByRole('button', { name: '作成', exact: true })).toBeVisible()
  await watchFrames(page)
  const began = Date.now()
  await popupOf(page).getByRole('button', { name: '作成', exact: true }).click()
  await expect(popupOf(page).getByText(/^作成しています \d+%$/)).toBeVisible()
  await expect(popupOf(page).getByText(/^作成しました/)).toBeVisible({ timeout: 240_000 })
  const tookMs = Date.now() - began
  const longest = await page.evaluate(() =>
    Number(Reflect.get(Reflect.get(globalThis, 'frames40'), 'longest')),
  )
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const made = await readMade(page)
  console.log(
    `40 photos of ${bytes.length} bytes at 4× CPU: ${tookMs} ms, ${made.size} bytes, longest frame ${Math.round(longest)} ms`,
  )
  expect(made.size).toBeLessThanOrEqual(10_000_000)
  expect(made.pictures.flat()).toHaveLength(40)
  expect(made.pages.at(-1)).toMatch(/緊急報告　未送信（待機）\n撮影 \d{4}/)
  await popupOf(page).getByRole('radio', { name: '1ページに6枚' }).check()
  await popupOf(page).getByRole('button', { name: 'この日の写真台帳を作成（40枚）' }).click()
  await expect(popupOf(page).getByRole('region', { name: /^写真台帳/ })).toBeVisible({ timeout: 60_000 })
  const ledger = await readMade(page)
  expect(ledger.title).toMatch(/^写真台帳 \d{4}年/)
  expect(ledger.pictures.map((each) => each.length)).toEqual([0, 6, 6, 6, 6, 6, 6, 4])
  expect(ledger.pages.at(-1)).toContain(`${row.requestCode}　`)
  expect(phone.errors).toEqual([])
})

interface Files {
  files: { name: string; file_seq: string; sha256: string }[]
}

test('[issue 54] photos of the file store are compared with the report, without a signal @slow', async ({
  crm,
  phone,
  request,
}) => {
  const { address } = await ready(crm, phone)
  await closePopup(phone.page)
  const { page } = phone
  const taken = test.info().outputPath('IMG_verify.jpg')
  writeFileSync(taken, Buffer.from(await photo(page)))
  await reportEmergency(page, [taken])
  const stored = async () =>
    ((await crm.state()) as unknown as Files).files.filter(({ name }) => name.includes('IMG_verify'))
  await expect.poll(async () => (await stored()).length, { timeout: 60_000 }).toBe(1)
  const [{ name, file_seq, sha256 } = { name: '', file_seq: '', sha256: '' }] = await stored()
  const sent = test.info().outputPath(name)
  const content = await (await request.get(`/doccloud/content/${file_seq}/${sha256}`)).body()
  writeFileSync(sent, content)
  await phone.offline(true)
  await page.goto(address)
  await openPopup(page)
  await popupOf(page).getByRole('button', { name: '作成', exact: true }).click()
  const save = popupOf(page).getByRole('button', { name: '端末に保存' })
  await expect(save).toBeVisible({ timeout: 60_000 })
  const saved = page.waitForEvent('download')
  await save.click()
  const pdf = test.info().outputPath('report.pdf')
  await (await saved).saveAs(pdf)
  await page.goto('/verify')
  await expect(page.getByRole('heading', { name: '写真の照合' })).toBeVisible()
  await expectNoViolations(page, '写真の照合')
  const compare = (...files: string[]) => page.getByLabel('PDFと写真を選ぶ').setInputFiles([pdf, ...files])
  await compare(sent)
  await expect(page.getByText('1枚すべて変更なし')).toBeVisible({ timeout: 30_000 })
  writeFileSync(sent, content.subarray(0, -1))
  const other = test.info().outputPath('other.jpg')
  writeFileSync(other, 'other')
  await compare(sent, other)
  await expect(page.getByText('中身が違う')).toBeVisible()
  await expect(page.getByText('このPDFに記録のないファイル')).toBeVisible()
  await expectNoViolations(page, '写真の照合: changed')
  expect(phone.errors).toEqual([])
})

test('[issue 54] 退館報告詳細 leads to 作業報告書, and back @slow', async ({ crm, phone }) => {
  const { page } = phone
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(page)
  await phone.offline(true)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await page.getByRole('link', { name: '退館報告' }).click()
  await page.getByRole('radio', { name: '作業完了' }).check()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(/退館 \d\d:\d\d/)).toBeVisible()
  await page.getByRole('link', { name: '退館報告' }).click()
  await expect(page.getByRole('heading', { name: '退館報告詳細' })).toBeVisible()
  await expectNoViolations(page, '退館報告詳細')
  await page.getByRole('link', { name: '作業報告書' }).click()
  await expect(popupOf(page)).toBeVisible()
  await closePopup(page)
  await expect(page.getByRole('heading', { name: '依頼詳細' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: '退館報告詳細' })).toBeVisible()
  expect(phone.errors).toEqual([])
})

test('[issue 54] 設定 makes reports possible underground @slow', async ({ phone }) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  await page.goto('/settings')
  const section = page.getByRole('region', { name: '作業報告書' })
  await section.getByRole('button', { name: 'この端末で使えるようにする' }).click()
  await expect(section.getByText('電波がなくても作成できます')).toBeVisible({ timeout: 60_000 })
  await expectNoViolations(page, '設定: 作業報告書')
  const cached = await page.evaluate(async () => {
    const names = ['report-font', 'pdf-library']
    return Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))
  })
  expect(cached).toEqual([1, 1])
})
