/**
 * Pictures as real phones make them, in the real browser: which way up they are shown and sent, cut at any byte, with something
 * hanging on them, and very large.
 */
import type { APIRequestContext, Page } from '@playwright/test'
import { ascii, exifSegment, exifTiff, jpegSegment, pngChunk } from '../support/image-files.ts'
import { type Crm, expect, freeRequest, type Phone, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

interface Files {
  files: { name: string; file_seq: string; sha256: string }[]
}

const OWNER = 'OHNISHI SERIAL-0042'
const SHORT = 3
const LONG = 4

interface Picked {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A picture of four colours: red, green / blue, white, each a quarter, encoded by the browser. */
async function quarters(page: Page, type: 'jpeg' | 'png', width = 120, height = 80): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ([mime, w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h })
      const context = canvas.getContext('2d')
      const colours = ['#f00', '#0f0', '#00f', '#fff']
      for (const [n, colour] of colours.entries()) {
        if (!context) throw new Error('no canvas')
        context.fillStyle = colour
        context.fillRect(((n % 2) * w) / 2, (Math.floor(n / 2) * h) / 2, w / 2, h / 2)
      }
      return canvas.toDataURL(mime, 0.95).split(',')[1] ?? ''
    },
    [`image/${type}`, width, height] as const,
  )
  return Buffer.from(encoded, 'base64')
}

const inJpeg = (jpeg: Buffer, ...segments: readonly (readonly number[])[]) =>
  Buffer.concat([jpeg.subarray(0, 2), Buffer.from(segments.flat()), jpeg.subarray(2)])

const BEHIND_IHDR = 33
const inPng = (png: Buffer, ...chunks: readonly (readonly number[])[]) =>
  Buffer.concat([png.subarray(0, BEHIND_IHDR), Buffer.from(chunks.flat()), png.subarray(BEHIND_IHDR)])

/** The colours of the corners, as the browser shows the picture: from the left above, by lines. */
const cornersOf = (page: Page, bytes: Buffer) =>
  page.evaluate(async (encoded) => {
    const image = new Image()
    image.src = `data:;base64,${encoded}`
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const name = (x: number, y: number) => {
      const [red = 0, green = 0, blue = 0] = context?.getImageData(x, y, 1, 1).data ?? []
      return [red, green, blue].map((each) => (each > 127 ? 'x' : '-')).join('')
    }
    const [left, top, right, bottom] = [width * 0.2, height * 0.2, width * 0.8, height * 0.8]
    const corners = [name(left, top), name(right, top), name(left, bottom), name(right, bottom)]
    return `${width > height ? 'lying' : 'standing'} ${corners.join(' ')}`
  }, bytes.toString('base64'))

/** What stands where once it is turned by an orientation. */
const TURNED = [
  'lying x-- -x- --x xxx',
  'lying -x- x-- xxx --x',
  'lying xxx --x -x- x--',
  'lying --x xxx x-- -x-',
  'standing x-- --x -x- xxx',
  'standing --x x-- xxx -x-',
  'standing xxx -x- --x x--',
  'standing -x- xxx x-- --x',
]

async function openNote(crm: Crm, phone: Phone) {
  await phone.signIn()
  const { id } = await freeRequest(crm)
  await phone.page.goto(`/noteLocationArea/add/${id}`)
  await phone.page.getByLabel('写真を追加').waitFor({ state: 'attached' })
  return phone.page
}

const cardsOf = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /を削除$/ }) })

/** Picked, read, saved and sent. @returns what the file store has, by the name that was picked */
async function sentOf(page: Page, crm: Crm, request: APIRequestContext, files: readonly Picked[]) {
  await page.getByLabel('写真を追加').setInputFiles([...files])
  await expect(cardsOf(page)).toHaveCount(files.length, { timeout: 60_000 })
  await page.getByLabel('メモ').fill('写真を添付します。')
  await page.getByRole('button', { name: '保存' }).click()
  const sent = async () =>
    ((await crm.state()) as unknown as Files).files.filter(({ name }) => name.includes('_kind'))
  await expect.poll(async () => (await sent()).length, { timeout: 60_000 }).toBe(files.length)
  const found = new Map<string, Buffer>()
  for (const { name, file_seq, sha256 } of await sent()) {
    const answer = await request.get(`/doccloud/content/${file_seq}/${sha256}`)
    found.set(name.replace(/^\d{17}_/, '').replace(/\.\w+$/, ''), await answer.body())
  }
  return found
}

test('[decisions/photos] what is sent stands as what is shown, whatever says how it stands', async ({
  crm,
  phone,
  request,
}) => {
  const page = await openNote(crm, phone)
  const [jpeg, png] = [await quarters(page, 'jpeg'), await quarters(page, 'png')]
  const files: Picked[] = []
  const wanted: Record<string, string | undefined> = {}
  const add = (name: string, mimeType: string, buffer: Buffer, orientation: number) => {
    files.push({ name: `${name}.${mimeType === 'image/png' ? 'png' : 'jpg'}`, mimeType, buffer })
    wanted[name] = TURNED[orientation - 1]
  }
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const tags = { orientation, owner: OWNER, orientationType: orientation % 2 ? SHORT : LONG }
    add(`kind-jpeg-${orientation}`, 'image/jpeg', inJpeg(jpeg, exifSegment(tags)), orientation)
    add(`kind-png-${orientation}`, 'image/png', inPng(png, pngChunk('eXIf', exifTiff(tags))), orientation)
  }
  const large = await quarters(page, 'jpeg', 3_000, 2_000)
  add('kind-large-6', 'image/jpeg', inJpeg(large, exifSegment({ orientation: 6, owner: OWNER })), 6)
  const sent = await sentOf(page, crm, request, files)
  const seen: Record<string, string> = {}
  for (const [name, bytes] of sent) {
    expect(bytes.includes(OWNER), name).toBe(false)
    seen[name] = await cornersOf(page, bytes)
  }
  expect(seen).toEqual(wanted)
  expect(phone.errors).toEqual([])
})

test('[decisions/photos] cut at any byte it is drawn or called broken; what hangs on a picture is left', async ({
  crm,
  phone,
  request,
}) => {
  const page = await openNote(crm, phone)
  const [jpeg, png] = [await quarters(page, 'jpeg'), await quarters(page, 'png')]
  const lost = [0, 1, 2, 3, 20, 200, jpeg.indexOf(Buffer.from([0xff, 0xda]))].map((at) =>
    jpeg.subarray(0, at),
  )
  const cutPngs = [1, 7, 30, 60].map((at) => png.subarray(0, at))
  const broken = [...lost, ...cutPngs].map((buffer, n) => ({
    name: `cut${n}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }))
  await page.getByLabel('写真を追加').setInputFiles(broken)
  const banner = page.getByText('ファイルが壊れています。')
  await expect(banner).toContainText(
    `「cut0.jpg」「cut1.jpg」「cut2.jpg」「cut3.jpg」「cut4.jpg」ほか${broken.length - 5}枚：`,
  )
  await expect(page.getByText('対応していないファイル形式')).toHaveCount(0)
  await expect(page.getByText('読み込み中')).toHaveCount(0)
  await expect(cardsOf(page)).toHaveCount(0)

  const segment = jpegSegment(0xfe, ascii('<script src=x></script>'))
  const film = Buffer.from([...ascii('....ftypmp42'), ...ascii(OWNER)])
  const kinds = {
    'kind-no-end': jpeg.subarray(0, -2),
    'kind-cut': jpeg.subarray(0, -12),
    'kind-png-no-end': png.subarray(0, -12),
    'kind-png-cut': png.subarray(0, -20),
    'kind-film': Buffer.concat([jpeg, film]),
    'kind-page': inJpeg(jpeg, segment),
    'kind-png-page': inPng(png, pngChunk('tEXt', ascii('<html>'))),
    'kind-png-behind': Buffer.concat([png, film]),
  }
  const files = Object.entries(kinds).map(([name, buffer]) => ({ name, mimeType: 'image/jpeg', buffer }))
  const sent = await sentOf(page, crm, request, files)
  for (const [name, bytes] of sent) {
    expect(/<script|<html|ftyp|OHNISHI/.test(bytes.toString('latin1')), name).toBe(false)
    if (!name.endsWith('-cut')) expect(await cornersOf(page, bytes), name).toBe(TURNED[0])
  }
  expect([...sent.keys()].toSorted()).toEqual(Object.keys(kinds).toSorted())
  expect(phone.errors).toEqual([])
})

test('[decisions/photos] a photo of 50 megapixels is decoded at a part of its size and sent smaller', async ({
  crm,
  phone,
  request,
}) => {
  const page = await openNote(crm, phone)
  const huge = await quarters(page, 'jpeg', 8_160, 6_144)
  const files = [{ name: 'kind-huge.jpg', mimeType: 'image/jpeg', buffer: huge }]
  const sent = (await sentOf(page, crm, request, files)).get('kind-huge') ?? Buffer.alloc(0)
  expect(await cornersOf(page, sent)).toBe(TURNED[0])
  expect(sent.length).toBeLessThan(huge.length)
  expect(phone.errors).toEqual([])
})
