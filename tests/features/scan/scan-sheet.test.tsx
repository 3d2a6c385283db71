import { act, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { ScanPopup } from '#features/scan/scan-popup.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { openTestDatabase, renderFeature, testPhoto } from '../../support/render-feature.tsx'
import { sooner } from '../../support/sooner.ts'
import { afterThisTest } from '../../support/undo.ts'
import { requestOn, storeVisits } from '../../support/visit-records.ts'
import { putCamera } from '../camera/fake-camera.ts'
import { whole } from '../request/detail/open-view.tsx'

const DAY = '2026-11-20'

/** What the camera sees, by a detector of the browser. */
function putCodes(texts: () => readonly string[]) {
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['qr_code']
      detect = async () => texts().map((rawValue) => ({ rawValue }))
    },
  )
  const pixels = { width: 2, height: 2, data: new Uint8ClampedArray(16) }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: () => undefined,
    getImageData: () => pixels,
  } as never)
  for (const name of ['videoWidth', 'videoHeight'])
    Object.defineProperty(HTMLVideoElement.prototype, name, { configurable: true, get: () => 640 })
  afterThisTest(() => {
    for (const name of ['videoWidth', 'videoHeight']) Reflect.deleteProperty(HTMLVideoElement.prototype, name)
    vi.unstubAllGlobals()
  })
}

function Opener() {
  const openScan = useOpenPopup('scan')
  return (
    <>
      <button type="button" onClick={openScan}>
        読み取り
      </button>
      <ScanPopup />
    </>
  )
}

const devices = (...ids: string[]): Partial<RequestRecord> => ({
  detail: {
    ...(whole.detail ?? { goods: [], safety: [], underPitSurvey: [] }),
    devices: ids.map((deviceId) => ({ deviceId, deviceModel: 'P-1', site1: null, site2: null })),
  },
})

async function open({ href = '/request', photo = testPhoto() } = {}) {
  const db = await openTestDatabase()
  await storeVisits(
    db,
    [
      requestOn('1', DAY, { ...devices('D-1', 'D-2'), requestCode: 'R26-1' }),
      requestOn('2', DAY, { ...devices('D-2'), requestCode: 'R26-2' }),
      requestOn('3', '2026-11-22', { ...devices('D-3'), requestCode: 'R26-3' }),
    ],
    [],
  )
  const opened = await renderFeature(<Opener />, { path: '/request', href, db, services: { photo } })
  return {
    ...opened,
    press: async () => {
      await opened.user.click(opened.screen.getByRole('button', { name: '読み取り' }))
      return opened.screen.findByRole('dialog', { name: 'コードの読み取り' })
    },
  }
}

describe('[decisions/camera] コードの読み取り', () => {
  test.each([
    ['依頼番号', 'R26-1', '/request/1?workingDate=2026-11-20'],
    ['機器の今日の依頼', 'D-1', '/request/1?workingDate=2026-11-20'],
    ['機器の過去報告', 'D-3', '/report/D-3'],
  ])('opens %s in place of the popup', async (_, text, address) => {
    putCamera()
    let seen: string[] = []
    putCodes(() => seen)
    const { press, href, router } = await open()
    await press()
    seen = [text]
    await waitFor(() => expect(href()).toBe(address))
    router.history.back()
    await waitFor(() => expect(href()).toBe('/request'))
  })

  test('more than one: a choice; what leads nowhere is shown as it was read, and reading goes on', async () => {
    putCamera()
    let seen = ['\u202Ehttps://evil.example/<b>x</b>', `z${'long'.repeat(200)}`]
    putCodes(() => seen)
    const { press, screen, user, href } = await open()
    const dialog = await press()
    await screen.findByText('このコードの依頼も機器も、この端末にありません。', { exact: false })
    const texts = [...dialog.querySelectorAll('bdi')].map(({ textContent }) => textContent)
    expect(texts[0]).toBe('https://evil.example/<b>x</b>')
    expect(texts[1]).toHaveLength(121)
    seen = ['D-2']
    await user.click(screen.getByRole('button', { name: 'もう一度読み取る' }))
    await user.click(await screen.findByRole('button', { name: /R26-2/ }))
    await waitFor(() => expect(href()).toBe('/request/2?workingDate=2026-11-20'))
  })

  test.each([
    ['NotAllowedError', 'カメラの使用が許可されていません'],
    ['NotFoundError', 'この端末でカメラが見つかりません'],
  ])('without a camera (%s): the reason, and a picture is read instead', async (error, text) => {
    const { getUserMedia } = putCamera({ error })
    putCodes(() => ['R26-2'])
    vi.stubGlobal('createImageBitmap', async () => ({ width: 2, height: 2, close: () => undefined }))
    const thumb = async () => new ArrayBuffer(4)
    const { press, screen, user, href } = await open({
      photo: testPhoto({ jobs: async () => ({ ...(await testPhoto().jobs()), thumb }) }),
    })
    await press()
    await screen.findByText(text, { exact: false })
    await user.upload(
      screen.getByLabelText('写真から読み取る'),
      new File(['x'], 'a.jpg', { type: 'image/jpeg' }),
    )
    await waitFor(() => expect(href()).toBe('/request/2?workingDate=2026-11-20'))
    expect(getUserMedia).toHaveBeenCalledOnce()
  })

  test('closed while a picture is read, it leads nowhere', async () => {
    putCamera({ error: 'NotFoundError' })
    putCodes(() => ['R26-2'])
    vi.stubGlobal('createImageBitmap', async () => ({ width: 2, height: 2, close: () => undefined }))
    let read: (bytes: ArrayBuffer) => void = () => undefined
    const reading = new Promise<ArrayBuffer>((resolve) => (read = resolve))
    const thumb = vi.fn<() => Promise<ArrayBuffer>>(() => reading)
    const { press, screen, user, href } = await open({
      photo: testPhoto({ jobs: async () => ({ ...(await testPhoto().jobs()), thumb }) }),
    })
    await press()
    await user.upload(
      screen.getByLabelText('写真から読み取る'),
      new File(['x'], 'a.jpg', { type: 'image/jpeg' }),
    )
    await waitFor(() => expect(thumb).toHaveBeenCalled())
    await user.click(screen.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(href()).toBe('/request'))
    await act(async () => {
      read(new ArrayBuffer(4))
      await reading
    })
    await waitFor(() => expect(href()).not.toBe('/request'), { timeout: 500 }).catch(() => undefined)
    expect(href()).toBe('/request')
  })

  test('a picture that is none', async () => {
    putCamera({ error: 'NotFoundError' })
    putCodes(() => [])
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    const { press, screen, user } = await open()
    await press()
    await user.upload(
      screen.getByLabelText('写真から読み取る'),
      new File(['x'], 'a.jpg', { type: 'image/jpeg' }),
    )
    expect(await screen.findByText('この写真を開けません', { exact: false })).toBeTruthy()
  })

  test('an address that names the popup leads to no question for the camera', async () => {
    const { getUserMedia } = putCamera()
    putCodes(() => [])
    const { screen, user } = await open({ href: '/request?popup=scan' })
    await screen.findByText('「カメラを使う」を押すと始まります。')
    expect(getUserMedia).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'カメラを使う' }))
    await waitFor(() => expect(getUserMedia).toHaveBeenCalledOnce())
  })

  test('after 10 s without a code it says what helps', async () => {
    putCamera()
    putCodes(() => [])
    sooner(10_000)
    const { press, screen } = await open()
    await press()
    await screen.findByText('機器や書類のQRコード・バーコードを映してください')
    expect(await screen.findByText('コードが見つかりません', { exact: false })).toBeTruthy()
  })
})
