/** The screen 共有された写真: what waits, the requests of today, their forms, and 破棄. */
import { waitFor, within } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { ReceivedScreen } from '#features/received/received-screen.tsx'
import { receiving } from '../../data/received/receiving.ts'
import { jpegFile as jpeg } from '../../support/image-files.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { afterThisTest } from '../../support/undo.ts'
import { requestOn, storeVisits } from '../../support/visit-records.ts'
import { whole } from '../request/detail/open-view.tsx'

const TODAY = '2026-11-20'
const file = (name: string) => new File([jpeg({ bytes: 300 })], name, { type: 'image/jpeg' })

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  afterThisTest(() => vi.unstubAllGlobals())
})

async function open({ photos = 2, left, visit }: { photos?: number; left?: string; visit?: string } = {}) {
  const db = await openTestDatabase()
  const detail = whole.detail ?? null
  await storeVisits(
    db,
    [
      requestOn('1', TODAY, { detail, requestCode: 'R26-1', noteLocationAreaStatus: '1' }),
      requestOn('2', '2026-11-21', { detail, requestCode: 'R26-2' }),
    ],
    [],
  )
  const phone = receiving({ user: db.name })
  await phone.signIn()
  await phone.share(Array.from({ length: photos }, (_, n) => file(`${n}.jpg`)))
  const screen = <ReceivedScreen left={left} visit={visit} />
  return { ...(await renderFeature(screen, { path: '/share', db })), phone }
}

test('[decisions/photos] the waiting photos and the requests of today', async () => {
  const { screen } = await open()
  const photos = within(await screen.findByRole('list', { name: '共有された写真' }))
  await waitFor(() => expect(photos.getAllByRole('img')).toHaveLength(2))
  expect(screen.getByRole('heading', { name: '写真 2枚' })).toBeTruthy()
  const link = await screen.findByRole('link', { name: /R26-1/ })
  expect(link.getAttribute('href')).toBe(`/share?visit=1_${TODAY}`)
  expect(screen.queryByRole('link', { name: /R26-2/ })).toBeNull()
})

test('[decisions/photos] the forms of the chosen request take the photos along and replace this screen', async () => {
  const { screen, user, router, phone } = await open({ visit: `1_${TODAY}` })
  const form = await screen.findByRole('link', { name: '緊急報告' })
  expect(screen.getAllByRole('link', { name: /安全対策：/ }).length).toBeGreaterThan(2)
  const { length } = router.history
  await user.click(form)
  await screen.findByText('別の画面')
  const { pathname, search, state } = router.state.location
  expect([pathname, search]).toEqual(['/emergencyReport/add/1', { workingDate: TODAY }])
  expect(state.received).toEqual((await phone.store.waiting()).map(({ id }) => id))
  expect(router.history.length).toBe(length)
})

test('[decisions/photos] 破棄 asks first; then nothing waits, and the list is open', async () => {
  const { screen, user, phone, router } = await open()
  await user.click(await screen.findByRole('button', { name: '破棄' }))
  await user.click(screen.getByRole('button', { name: 'いいえ' }))
  expect(await phone.store.waiting()).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: '破棄' }))
  expect(screen.getByRole('heading', { name: '共有された写真2枚を破棄しますか？' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'はい' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/request'))
  expect(await phone.store.waiting()).toEqual([])
})

test.each([
  [
    'ec00015-2',
    '受け取れなかったファイル 2件：対応していないファイル形式です。png、jpeg、jpgのいずれかを選択してください。',
  ],
  ['ec00016-1', '受け取れなかったファイル 1件：ファイルサイズは40MB以下にしてください。'],
  ['room-1', '受け取れなかったファイル 1件：端末の空き容量が足りません。'],
  ['full-3', '受け取れなかったファイル 3件：待っている写真が上限（20枚、合計200MB）に達しています。'],
  ['login-1', '受け取れなかったファイル 1件：ログインの前に共有された写真は受け取れません。'],
  ['worker-0', 'アプリの準備ができていなかったため、受け取れませんでした。'],
])('[decisions/photos] what could not be received is said: %s', async (left, text) => {
  const { screen } = await open({ photos: 0, left })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(text))
  expect(screen.getByRole('heading', { name: '受け取った写真はありません' })).toBeTruthy()
})

test('[decisions/photos] left without a choice, a banner leads back; here there is none', async () => {
  const { screen, user, services } = await open()
  services.flash.put('received', { mode: 'info', text: 'x', stays: true })
  await screen.findByRole('heading', { name: '写真 2枚' })
  await user.click(screen.getByRole('link', { name: /戻る/ }))
  await waitFor(() =>
    expect(services.flash.get().map(({ title }) => title)).toEqual(['共有された写真2枚が待っています']),
  )
})

test('[decisions/photos] nothing waits: the list is open', async () => {
  const { router } = await open({ photos: 0 })
  await waitFor(() => expect(router.state.location.pathname).toBe('/request'))
})

test('[decisions/photos] photos that do not open are counted', async () => {
  const db = await openTestDatabase()
  const phone = receiving({ user: db.name })
  await phone.signIn()
  await phone.share([file('a.jpg'), file('b.jpg')])
  const [first] = await phone.store.waiting()
  if (!first) throw new Error('nothing waits')
  await phone.store.add(first, new ArrayBuffer(20))
  const { screen } = await renderFeature(<ReceivedScreen left={undefined} visit={undefined} />, {
    path: '/share',
    db,
  })
  expect(await screen.findByText(/^1枚は、以前のパスワードで封印されているため開けません。/)).toBeTruthy()
})
