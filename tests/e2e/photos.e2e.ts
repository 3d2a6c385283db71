/**
 * Photos in the real browser: decoded and encoded in a worker, with the time and place of their EXIF; the viewer under
 * fingers, keys and the phone's back button.
 */
import { deflateSync } from 'node:zlib'
import { cameraPhoto, OWNER } from '../support/camera-photo.ts'
import type { APIRequestContext, Page } from '@playwright/test'
import { pngChunk } from '../support/image-files.ts'
import { type Crm, expect, freeRequest, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

interface Files {
  files: { name: string; size: number; file_seq: string; sha256: string }[]
}

const filesOf = async (crm: Crm) => ((await crm.state()) as unknown as Files).files

test('[decisions/photos] a photo of 12 megapixels is drawn by a worker, looked at, and sent without its owner', async ({
  crm,
  phone,
  request,
}) => {
  const { page } = phone
  await phone.signIn()
  const { id } = await freeRequest(crm)
  await page.goto(`/noteLocationArea/add/${id}`)
  const add = page.getByLabel('写真を追加')
  await add.waitFor({ state: 'attached' })

  // a picture of 400 megapixels in 50 kB is not decoded
  await add.setInputFiles({ name: 'bomb.png', mimeType: 'image/png', buffer: emptyPng(20_000, 20_000) })
  await expect(page.getByText('「bomb.png」：写真は5000万画素以下にしてください。')).toBeVisible()
  // a file that begins as a photo, and is none
  const broken = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.from('<html><script>1</script>'),
  ])
  await add.setInputFiles({ name: 'page.jpg', mimeType: 'image/jpeg', buffer: broken })
  await expect(page.getByText('ファイルが壊れています。').first()).toBeVisible()

  const buffer = await cameraPhoto(page, 4032, 3024)
  const small = await cameraPhoto(page, 800, 600, '2026:11:19')
  const worker = page.workers().find((each) => each.url().includes('photo-worker'))
  expect(worker?.url()).toContain(new URL(page.url()).origin)
  await add.setInputFiles([
    { name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer },
    { name: 'IMG_0043.jpg', mimeType: 'image/jpeg', buffer: small },
  ])
  await expect(page.getByText('読み込み中')).toHaveCount(2)
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /を削除$/ }) })
  await expect(cards).toHaveCount(2)
  await expect(cards.nth(0)).toContainText(/撮影日時 .*11\/20 10:15/)
  await expect(cards.nth(0)).toContainText('写真の記録')
  await expect(cards.nth(0)).toContainText('位置情報 35.6491, 139.8083')

  await lookAtThem(phone.page)

  await page.getByLabel('メモ').fill('ふたは二人で開けてください。')
  await page.getByRole('button', { name: '保存' }).click()
  const sent = async () => (await filesOf(crm)).filter(({ name }) => /IMG_004/.test(name))
  await expect
    .poll(async () => (await sent()).map(({ name }) => name).toSorted())
    .toEqual(['20261119101500000_IMG_0043.jpg', '20261120101500000_IMG_0042.jpg'])
  expect([buffer, small].map((photo) => photo.includes(OWNER))).toEqual([true, true])
  for (const file of await sent())
    expect((await contentOf(request, file)).includes(OWNER), file.name).toBe(false)
  expect(phone.errors).toEqual([])
})

/** As the file store gives it to whoever looks at it. */
async function contentOf(request: APIRequestContext, { file_seq, sha256 }: Files['files'][number]) {
  const answer = await request.get(`/doccloud/content/${file_seq}/${sha256}`)
  expect(answer.headers()['content-type']).toBe('image/jpeg')
  return answer.body()
}

/** In the form: by finger, by keys, and out by the phone's back button. */
async function lookAtThem(page: Page) {
  await page.getByRole('button', { name: '写真1を開く' }).click()
  const viewer = page.getByRole('dialog')
  const photo = viewer.getByRole('img', { name: '写真1' })
  await expect(photo).toBeVisible()
  await expect(viewer.getByRole('heading')).toHaveText('写真 1 / 2')
  const scale = async (n: number) =>
    viewer.getByRole('img', { name: `写真${n}` }).evaluate((each) => {
      const matrix = new DOMMatrix(getComputedStyle(each.parentElement ?? each).transform)
      return Math.round(matrix.a * 10) / 10
    })
  // on a slow machine two taps may come too far apart to be a double tap
  const doubleTapped = (to: number) =>
    expect(async () => {
      await page.touchscreen.tap(195, 400)
      await page.touchscreen.tap(195, 400)
      await expect.poll(() => scale(1), { timeout: 1_000 }).toBe(to)
    }).toPass()
  await doubleTapped(2.5)
  await doubleTapped(1)
  await page.mouse.move(300, 400)
  await page.mouse.down()
  await page.mouse.move(120, 400, { steps: 4 })
  await page.mouse.up()
  await expect(viewer.getByRole('heading')).toHaveText('写真 2 / 2')
  await page.keyboard.press('ArrowLeft')
  await expect(viewer.getByRole('heading')).toHaveText('写真 1 / 2')
  // Tab goes round inside
  for (let n = 0; n < 7; n += 1) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
  await page.goBack()
  await expect(viewer).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '現場メモ登録' })).toBeVisible()
  await expect(page.getByRole('button', { name: '写真1を開く' })).toBeFocused()
}

/** One bit for each pixel, all of them black. */
function emptyPng(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc((width / 8 + 1) * height), { level: 9 })
  const u32 = (n: number) => [n >>> 24, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff]
  return Buffer.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...pngChunk('IHDR', [...u32(width), ...u32(height), 1, 0, 0, 0, 0]),
    ...pngChunk('IDAT', [...rows]),
    ...pngChunk('IEND', []),
  ])
}
