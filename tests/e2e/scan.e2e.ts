/**
 * コードの読み取り in Chromium, which has no detector of its own here: zxing in its worker, under the policy of the build,
 * without a signal once it was used (decisions/camera).
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fakeCamera } from '../support/chromium.ts'
import {
  codePictures,
  drawCodes,
  pngOf,
  qrModules,
  y4mOf,
  type GreyPicture,
} from '../support/code-pictures.ts'
import { expectNoViolations } from './axe.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

const popup = (page: Page) => page.getByRole('dialog', { name: 'コードの読み取り' })
const openScan = (page: Page) => page.getByRole('button', { name: '読み取り' }).click()

/** A camera that sees this picture. */
function seeing(picture: GreyPicture): string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'genba-camera-')), 'camera.y4m')
  writeFileSync(file, y4mOf(picture))
  return [...fakeCamera, `--use-file-for-fake-video-capture=${file}`]
}

const wasmFetches = (page: Page, seen: string[]) =>
  page.on('request', (call) => {
    if (/code-worker|zxing/.test(call.url())) seen.push(call.url())
  })

test.describe('with a code of a request before the camera', () => {
  test.use({
    browserArgs: async ({ crm }, use) => {
      const { requestCode } = await freeRequest(crm)
      await use(seeing(drawCodes([qrModules(requestCode)], { size: 260, degrees: 12 }, 640, 480)))
    },
  })

  test('[decisions/camera] one tap opens the request of today, also underground; nothing is loaded before', async ({
    crm,
    phone,
  }) => {
    const { page } = phone
    const fetched: string[] = []
    wasmFetches(page, fetched)
    await phone.signIn()
    await readyForOffline(page)
    const { id, workingDate } = await freeRequest(crm)
    expect(fetched).toEqual([])
    const request = new RegExp(`/request/${id}\\?workingDate=${workingDate}$`)
    await openScan(page)
    await expect(page).toHaveURL(request, { timeout: 30_000 })
    await expect(popup(page)).toBeHidden()
    expect(fetched.length).toBeGreaterThan(0)

    await page.goBack()
    await phone.offline(true)
    await page.reload()
    await openScan(page)
    await expect(page).toHaveURL(request, { timeout: 30_000 })
    await page.goBack()
    await expect(page).toHaveURL(/\/request$/)
  })
})

test.describe('with two codes before the camera', () => {
  test.use({
    browserArgs: async ({ crm }, use) => {
      const { requests, today } = await crm.state()
      const codes = [
        ...new Set(requests.filter((row) => row.workingDate === today).map((row) => row.requestCode)),
      ]
      await use(seeing(drawCodes(codes.slice(0, 2).map(qrModules), { size: 210 }, 640, 480)))
    },
  })

  test('[decisions/camera] it asks which @slow', async ({ phone }) => {
    const { page } = phone
    await phone.signIn()
    await readyForOffline(page)
    await openScan(page)
    await expect(popup(page).getByText('どれを開きますか')).toBeVisible({ timeout: 30_000 })
    await expectNoViolations(page, 'コードの読み取り: two')
    const choices = popup(page).getByRole('button', { name: /R26|\d{2}月|月/ })
    expect(await choices.count()).toBe(2)
    await choices.first().click()
    await expect(page).toHaveURL(/\/request\/[^/]+\?workingDate=/)
  })
})

test.describe('with nothing before the camera', () => {
  test.use({ browserArgs: seeing(drawCodes([], { size: 100, noise: 30 }, 640, 480)) })

  test('[decisions/camera] 24 pictures of the field are read without a signal, each within 2 s @slow', async ({
    phone,
  }) => {
    const { page } = phone
    await phone.signIn()
    await readyForOffline(page)
    await openScan(page)
    await expect(popup(page).getByText('コードが見つかりません', { exact: false })).toBeVisible({
      timeout: 30_000,
    })
    await expectNoViolations(page, 'コードの読み取り')
    await phone.offline(true)
    const picker = popup(page).getByLabel('写真から読み取る')
    const pictures = await codePictures()
    const times: [name: string, ms: number][] = []
    for (const { name, text, picture } of pictures) {
      const file = { name: 'a.png', mimeType: 'image/png', buffer: pngOf(picture) }
      const ms = await readTime(page, () => picker.setInputFiles(file), text)
      times.push([name, ms])
    }
    console.log(times.map(([name, ms]) => `${name}: ${ms} ms`).join('\n'))
    expect(times).toHaveLength(24)
    expect(times.filter(([, ms]) => ms > 2_000)).toEqual([])
    await expectNoViolations(page, 'コードの読み取り: unknown')
  })
})

/** The time from the picked file to what was read, in the page. */
async function readTime(page: Page, pick: () => Promise<void>, text: string): Promise<number> {
  await page.evaluate((expected) => {
    const started = { at: 0 }
    document.addEventListener('change', () => (started.at = performance.now()), { once: true, capture: true })
    const seen = new Promise<number>((done) => {
      const look = () => {
        const shown = [...document.querySelectorAll('bdi')].map(({ textContent }) => textContent)
        if (started.at > 0 && shown.includes(expected)) done(performance.now() - started.at)
        else requestAnimationFrame(look)
      }
      look()
    })
    Object.assign(window, { seen })
  }, text)
  await pick()
  return Math.round(await page.evaluate(() => (window as unknown as { seen: Promise<number> }).seen))
}
