/** The viewer of photos, over a list and over a form. */
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { expect, describe, test } from 'vitest'
import { RecordPhotos } from '#features/photo/record-photos.tsx'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { MAX_SCALE, panned, swiped, toggled, WHOLE, zoomed, type Zoom } from '#features/photo/zoom.ts'
import { jpegFile, pngFile } from '../../support/image-files.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'

const photo = (n: number, over: Partial<PhotoRecord> = {}): PhotoRecord => ({
  key: `p${n}`,
  resource: 'noteLocationAreas',
  recordKey: 'n1',
  requestId: '1',
  workingDate: '',
  name: `2026112009120400${n}_pit.jpg`,
  placeInfo: n === 1 ? '35.649100,139.808300' : '',
  createDate: '2026-11-20T09:12:00+09:00',
  size: 10,
  type: 'image/jpeg',
  wanted: 'kept',
  fileSeq: '',
  folderId: '',
  storeName: '',
  bytesAsked: 'no',
  ...blankProgress(''),
  stamp: `${n}`,
  savedAt: '',
  userId: 'u6',
  offline: false,
  unsent: 'yes',
  ...over,
})

/** @param photo the one that the address names */
async function open(
  photoKey: string | null = null,
  bytesOf: (n: number) => Uint8Array<ArrayBuffer> = () => jpegFile(),
) {
  const db = await openTestDatabase()
  await db.photos.bulkInsert([photo(1), photo(2), photo(3)])
  const ui = <RecordPhotos resource="noteLocationAreas" recordKey="n1" requestId="1" isThere />
  const opened = await renderFeature(ui, { path: '/outbox', href: '/outbox?popup=demo', db })
  const origin = { taken: 'exif', place: 'device' } as const
  for (const n of [1, 2, 3]) await opened.bytes?.put(`p${n}`, bytesOf(n).buffer, { origin })
  if (photoKey) opened.router.history.push(`/outbox?photo=${photoKey}`)
  const { screen } = opened
  return {
    ...opened,
    dialog: () => screen.findByRole('dialog'),
    key: (key: string) => fireEvent.keyDown(screen.getByRole('button', { name: '閉じる' }), { key }),
  }
}

describe('[decisions/photos] the viewer', () => {
  test('opens on the photo, goes on and back, and is in the address', async () => {
    const { screen, user, dialog, key, href } = await open()
    await user.click(await screen.findByRole('button', { name: '写真2を開く' }))
    expect((await dialog()).getAttribute('aria-labelledby')).toBeTruthy()
    expect(screen.getByRole('heading', { name: '写真 2 / 3' })).toBeDefined()
    expect(href()).toBe('/outbox?popup=demo&photo=p2')
    expect(await screen.findByRole('img', { name: '写真2' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: '次の写真' }))
    expect(await screen.findByRole('heading', { name: '写真 3 / 3' })).toBeDefined()
    expect(href()).toBe('/outbox?popup=demo&photo=p3')
    expect(screen.getByRole('button', { name: '次の写真' }).getAttribute('aria-disabled')).toBe('true')
    key('ArrowRight')
    key('ArrowLeft')
    expect(await screen.findByRole('heading', { name: '写真 2 / 3' })).toBeDefined()
    key('ArrowLeft')
    expect(await screen.findByText('撮影日時 11/20 09:12')).toBeDefined()
    expect(await screen.findByText('（写真の記録）')).toBeDefined()
    expect(screen.getByText('位置情報 35.6491, 139.8083')).toBeDefined()
  })

  test.each(['閉じる', 'back'])('closes by %s, and only itself', async (way) => {
    const { screen, user, router, href } = await open()
    await user.click(await screen.findByRole('button', { name: '写真1を開く' }))
    await screen.findByRole('heading', { name: '写真 1 / 3' })
    expect(href()).toContain('popup=demo')
    if (way === 'back') router.history.back()
    else await user.dblClick(screen.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(href()).toBe('/outbox?popup=demo')
  })

  test('[hands 3] a thumbnail that was tapped twice is one step back', async () => {
    const { screen, router, href } = await open()
    const thumb = await screen.findByRole('button', { name: '写真1を開く' })
    fireEvent.click(thumb)
    fireEvent.click(thumb)
    await screen.findByRole('heading', { name: '写真 1 / 3' })
    router.history.back()
    await waitFor(() => expect(href()).toBe('/outbox?popup=demo'))
  })

  test('an address that names a photo opens it, and closing takes it out', async () => {
    const { screen, user, href } = await open('p3')
    expect(await screen.findByRole('heading', { name: '写真 3 / 3' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(href()).toBe('/outbox'))
  })

  test('one that is too large or no picture is not given to the browser', async () => {
    const { screen } = await open('p1', (n) => (n === 1 ? pngFile(20_000, 20_000) : jpegFile()))
    expect(await screen.findByText('この写真は表示できません')).toBeDefined()
    expect(screen.queryByRole('img', { name: '写真1' })).toBeNull()
  })

  test('zooms by buttons and keys, and the next photo begins whole', async () => {
    const { screen, user, key } = await open('p1')
    const shown = async (n: number) =>
      (await screen.findByRole('img', { name: `写真${n}` })).parentElement?.style.transform ?? ''
    expect(await shown(1)).toContain('scale(1)')
    await user.click(screen.getByRole('button', { name: '拡大' }))
    expect(await shown(1)).toContain('scale(1.6)')
    key('0')
    expect(await shown(1)).toContain('scale(1)')
    key('+')
    key('ArrowRight')
    await screen.findByRole('heading', { name: '写真 2 / 3' })
    expect(await shown(2)).toContain('scale(1)')
  })
})

test('[PL11] of a thousand photos the first are shown and fetched, more where that is wanted, and each can be opened', async () => {
  const db = await openTestDatabase()
  const many = Array.from({ length: 1_000 }, (_, at) =>
    photo(at + 1, { key: `p${String(at + 1).padStart(4, '0')}`, fileSeq: `s${at}`, unsent: 'no' }),
  )
  await db.photos.bulkInsert(many)
  const ui = <RecordPhotos resource="noteLocationAreas" recordKey="n1" requestId="1" isThere />
  const { screen, user, router } = await renderFeature(ui, { path: '/outbox', href: '/outbox', db })
  const shown = () => screen.queryAllByRole('button', { name: /^写真[0-9]+を開く$/ }).length
  const more = await screen.findByRole('button', { name: 'ほかの写真を表示（残り970枚）' })
  expect(shown()).toBe(30)
  await user.click(more)
  await screen.findByRole('button', { name: 'ほかの写真を表示（残り940枚）' })
  expect(shown()).toBe(60)
  expect(await db.photos.count({ selector: { bytesAsked: 'yes' } }).exec()).toBeLessThanOrEqual(60)
  router.history.push('/outbox?photo=p0900')
  expect(await screen.findByRole('heading', { name: /^写真 [0-9,]+ \/ 1,?000$/ })).toBeDefined()
})

describe('[decisions/photos] zoom', () => {
  const view = { width: 390, height: 600 }
  const coordinate = fc.integer({ min: -400, max: 400 })
  const point = fc.record({ x: coordinate, y: coordinate })
  const act = fc.oneof(
    fc.record({ kind: fc.constant('zoom'), factor: fc.double({ min: 0.1, max: 8, noNaN: true }), at: point }),
    fc.record({ kind: fc.constant('pan'), factor: fc.constant(1), at: point }),
    fc.record({ kind: fc.constant('toggle'), factor: fc.constant(1), at: point }),
  )

  test('whatever fingers do, the photo fills the view and is between whole and the limit', () => {
    const next = (
      zoom: Zoom,
      { kind, factor, at }: { kind: string; factor: number; at: { x: number; y: number } },
    ) => {
      if (kind === 'pan') return panned(zoom, at, view)
      return kind === 'zoom' ? zoomed(zoom, factor, at, view) : toggled(zoom, at, view)
    }
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const { scale, x, y } = acts.reduce(next, WHOLE)
        expect(scale >= 1 && scale <= MAX_SCALE).toBe(true)
        expect(Math.abs(x)).toBeLessThanOrEqual(((scale - 1) * view.width) / 2)
        expect(Math.abs(y)).toBeLessThanOrEqual(((scale - 1) * view.height) / 2)
      }),
    )
  })

  test('the spot under the finger stays there', () => {
    const { scale, x } = zoomed(WHOLE, 2, { x: 50, y: 0 }, view)
    expect([scale, x]).toEqual([2, -50])
  })

  test.each([
    ['far to the left', -80, 900, 1],
    ['far to the right', 80, 900, -1],
    ['short and fast', -30, 50, 1],
    ['short and slow', -30, 300, 0],
    ['hardly', 3, 1, 0],
  ])('a swipe %s', (_, dx, ms, by) => {
    expect(swiped(dx, ms)).toBe(by)
  })
})
