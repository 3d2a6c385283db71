/** A device without room: each save says so where it was made, keeps what was typed, and is made once there is room. */
import type { Locator, Page } from '@playwright/test'
import { expect, freeRequest, readToEnd, test } from './phone.ts'

const NOTE = 'ふたは二人で開けてください。'

/** Enough for the app, and little enough to be asked for at once. */
const ROOM_BYTES = 30_000_000

/** Chromium remembers for 30 s how much room there was, until more than that is asked for. @returns the error's name */
const writeTooMuch = (page: Page) =>
  page.evaluate(
    (bytes) =>
      new Promise<string>((done) => {
        // equal bytes would be compressed
        const noise = new Uint8Array(bytes)
        for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536))
        const opening = indexedDB.open('filler')
        opening.onupgradeneeded = () => void opening.result.createObjectStore('bytes')
        opening.onsuccess = () => {
          const writing = opening.result.transaction('bytes', 'readwrite')
          writing.objectStore('bytes').put(noise, 1)
          writing.oncomplete = () => done('written')
          writing.onabort = () => done(writing.error?.name ?? 'aborted')
        }
        opening.onerror = () => done(opening.error?.name ?? 'not opened')
      }),
    ROOM_BYTES,
  )

/** Nothing lies over its middle. */
const isInFront = (banner: Locator) =>
  banner.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

/** 入館登録 up to the last of its questions. */
async function askedForTime(page: Page) {
  await page.getByRole('button', { name: '入館登録' }).tap()
  await page
    .getByRole('dialog', { name: '入館登録' })
    .getByRole('button', { name: '登録', exact: true })
    .click()
  for (const question of [/入退館連絡先を確認しましたか/, /注意事項を確認しましたか/]) {
    await expect(page.getByRole('heading', { name: question })).toBeVisible()
    await readToEnd(page)
    await page.getByRole('button', { name: 'はい' }).click()
  }
  const last = page.getByRole('alertdialog', { name: /で入館登録します/ })
  await expect(last).toBeVisible()
  return last
}

test('[真7] a full device is said by 保存 and by はい, in front of all else; what was typed is kept, and saved once there is room', async ({
  crm,
  phone,
  baseURL,
}) => {
  const { page } = phone
  const device = await phone.context.newCDPSession(page)
  const room = (quotaSize = ROOM_BYTES) =>
    device.send('Storage.overrideQuotaForOrigin', { origin: baseURL ?? '', quotaSize })
  const full = async () => {
    await room(1)
    expect(await writeTooMuch(page)).toBe('QuotaExceededError')
  }
  await room()
  await phone.signIn()
  const row = await freeRequest(crm)
  const banner = page.getByRole('alert').filter({ hasText: '端末に保存できませんでした' })

  await page.goto(`/noteLocationArea/add/${row.id}`)
  const note = page.getByLabel('メモ')
  await expect(note).toBeEditable()
  await full()
  // a draft is kept of what is typed
  await note.fill(NOTE)
  await expect(banner).toContainText('直前の操作は端末に残っていません。')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(banner).toContainText('端末の空き容量が足りません。')
  await expect(banner).toContainText('入力した内容はこの画面に残っています。')
  await expect(note).toHaveValue(NOTE)
  await room()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('正常に保存されました')).toBeVisible()
  await expect(banner).toHaveCount(0)

  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await expect(page.getByRole('button', { name: '入館登録' })).toBeEnabled()
  const question = await askedForTime(page)
  await full()
  await page.getByRole('button', { name: 'はい' }).click()
  // the banners stand behind the sheet
  const said = question.getByRole('alert')
  await expect(said).toContainText('端末の空き容量が足りません。')
  expect(await isInFront(said)).toBe(true)
  await room()
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('link', { name: '退館報告', description: /^入館/ })).toBeVisible()
  await expect(banner).toHaveCount(0)
  // the draft's
  expect(new Set(phone.errors)).toEqual(new Set(['QuotaExceededError']))
})
