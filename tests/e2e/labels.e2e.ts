/**
 * QR labels of a place (decisions/report-pdf), from the request to the printed sheet, without a signal: コードの読み取り reads
 * each label of the sheet.
 */
import { readFileSync } from 'node:fs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { drawCodes, pixelsOf, pngOf, qrModules, readerWasm } from '../support/code-pictures.ts'
import { readPdf, type GreyPage } from '../support/pdf-reader.ts'
import { filledPages } from '../support/pdf-shapes.ts'
import { expectNoViolations } from './axe.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

/** As a camera sees a label that it is held before. */
const DPI = 200

test('[decisions/report-pdf] labels of a place are made underground, and each of their codes opens its machine @slow', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  const { id, workingDate } = await freeRequest(crm)
  await readyForOffline(page)
  await page.goto(`/request/${id}?workingDate=${workingDate}`)
  await page.getByRole('button', { name: '作業報告書' }).click()
  const popup = page.getByRole('dialog', { name: '作業報告書' })
  await popup.getByRole('button', { name: 'この端末で使えるようにする' }).click()
  await expect(popup.getByText('電波がなくても作成できます')).toBeVisible({ timeout: 60_000 })
  await popup.getByRole('button', { name: '閉じる' }).click()
  // the reader of codes is on the device once it has read one
  await page.goto('/request')
  const scan = page.getByRole('dialog', { name: 'コードの読み取り' })
  await page.getByRole('button', { name: '読み取り' }).click()
  const other = pngOf(drawCodes([qrModules('NOWHERE')], { size: 260 }))
  await scan
    .getByLabel('写真から読み取る')
    .setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: other })
  await expect(scan.getByText('NOWHERE')).toBeVisible({ timeout: 30_000 })

  await phone.offline(true)
  await page.goto(`/request/${id}?workingDate=${workingDate}`)
  await page.getByRole('button', { name: '作業報告書' }).click()
  const make = popup.getByRole('button', { name: /^この現場の機器のQRラベルを作成（\d+台）$/ })
  const count = Number(/（(\d+)台）/.exec((await make.textContent()) ?? '')?.[1])
  expect(count).toBeGreaterThan(0)
  await make.click()
  const save = popup.getByRole('button', { name: '端末に保存' })
  await expect(save).toBeVisible({ timeout: 60_000 })
  await expectNoViolations(page, '作業報告書: QRラベル')
  const saved = page.waitForEvent('download')
  await save.click()
  const bytes = Uint8Array.from(readFileSync(await (await saved).path()))
  const [sheet] = await filledPages(bytes, DPI)
  if (!sheet) throw new Error('no page')
  const text = (await readPdf(bytes)).pages.join('\n')

  prepareZXingModule({ overrides: { wasmBinary: readerWasm() } })
  const devices: string[] = []
  for (let label = 0; label < count; label += 1) {
    const picture = labelOf(sheet, label)
    const [code] = await readBarcodes(pixelsOf(picture), { formats: ['QRCode'] })
    const { origin, pathname } = new URL(code?.text ?? '')
    expect(origin).toBe(new URL(page.url()).origin)
    devices.push(decodeURIComponent(/^\/report\/([^/]+)$/.exec(pathname)?.[1] ?? ''))
    expect(text).toContain(devices.at(-1))

    await page.goto('/request')
    await page.getByRole('button', { name: '読み取り' }).click()
    const file = { name: 'label.png', mimeType: 'image/png', buffer: pngOf(picture) }
    await scan.getByLabel('写真から読み取る').setInputFiles(file)
    // its request of today, else its past reports; several requests are a question
    const isOpen = async () =>
      /\/(?:request|report)\/[^/]/.test(page.url()) || (await scan.getByText('どれを開きますか').isVisible())
    await expect.poll(isOpen, { timeout: 30_000 }).toBe(true)
  }
  expect(new Set(devices).size).toBe(count)
  expect(phone.errors).toEqual([])
})

/** A label cut out of its sheet of 3 × 8. */
function labelOf(sheet: GreyPage, label: number) {
  const [width, height] = [Math.floor(sheet.width / 3), Math.floor(sheet.height / 8)]
  const [left, top] = [(label % 3) * width, Math.floor(label / 3) * height]
  const data = Uint8ClampedArray.from({ length: width * height }, (_, at) =>
    sheet.at(left + (at % width), top + Math.floor(at / width)),
  )
  return { width, height, data }
}
