/** The camera over a form: each picture is on the device before it is counted. */
import { act, waitFor } from '@testing-library/react'
import { expect, describe, test, vi } from 'vitest'
import { jpegFile } from '../../support/image-files.ts'
import { openForm, heldJobs } from '../photo/open-photos.tsx'
import { testPhoto } from '../../support/render-feature.tsx'
import { putCamera } from './fake-camera.ts'

const still = async () => new Blob([jpegFile({ bytes: 68 })], { type: 'image/jpeg' })

async function openCamera(parts: Parameters<typeof openForm>[0] = {}) {
  const opened = await openForm(parts)
  const { screen, user } = opened
  await user.click(await screen.findByRole('button', { name: 'カメラで撮影' }))
  await screen.findByRole('dialog', { name: 'カメラ' })
  const shutter = () => screen.getByRole('button', { name: '撮影' })
  return {
    ...opened,
    shutter,
    /** Resolves once the shutter takes a picture, then presses it. */
    async shoot() {
      await waitFor(() => expect(shutter().getAttribute('aria-disabled')).toBe('false'))
      await user.click(shutter())
    },
  }
}

const hide = (state: DocumentVisibilityState) =>
  act(async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange'))
  })

describe('[decisions/camera] the camera in the page', () => {
  test('takes many pictures in a row with one question, and all are in the draft', async () => {
    const { getUserMedia, last } = putCamera({ still })
    const { screen, shoot, draft, router, href } = await openCamera({
      services: { photo: testPhoto({ place: async () => '35.649100,139.808300' }) },
    })
    expect(await screen.findByText('1920 × 1440')).toBeDefined()
    for (const n of [1, 2, 3]) {
      await shoot()
      expect(await screen.findByText(`${n}枚撮影しました`)).toBeDefined()
      expect((await draft())?.photos).toHaveLength(n)
    }
    expect(getUserMedia).toHaveBeenCalledOnce()
    const photos = (await draft())?.photos ?? []
    expect(new Set(photos.map(({ name }) => name)).size).toBe(3)
    expect(photos[0]).toMatchObject({ takenAt: '2026-11-20T12:00:00+09:00', type: 'image/jpeg' })
    expect(photos[0]?.name).toBe('20261120120000000_camera.jpg')
    await waitFor(async () => expect((await draft())?.photos[2]?.placeInfo).toBe('35.649100,139.808300'))
    expect(href()).toContain('popup=camera')
    router.history.back()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // React cleans up effects in a task after it has removed the dialog.
    await waitFor(() => expect(last().stop).toHaveBeenCalledOnce())
    expect(screen.getAllByRole('button', { name: /を削除$/ })).toHaveLength(3)
  })

  test('[SV1] a picture that is not on the device yet is not counted', async () => {
    putCamera({ still })
    const held = heldJobs()
    const { screen, shoot } = await openCamera({ services: { photo: testPhoto({ jobs: held.jobs }) } })
    await shoot()
    await waitFor(() => expect(screen.getByText('ボタンを押すと撮影します')).toBeDefined())
    held.release()
    expect(await screen.findByText('1枚撮影しました')).toBeDefined()
  })

  test('[SV1] a picture that the device or the rules refuse is not counted, and the reason is in the camera', async () => {
    putCamera({ still: async () => new Blob(['no picture at all']) })
    const { screen, shoot, draft } = await openCamera()
    await shoot()
    const dialog = screen.getByRole('dialog', { name: 'カメラ' })
    await waitFor(() => expect(dialog.textContent).toContain('対応していないファイル形式です'))
    expect(screen.queryByText('1枚撮影しました')).toBeNull()
    expect((await draft())?.photos ?? []).toEqual([])
  })

  test('[SV1] on a full device a picture is not counted, the camera says why, and the next one is taken', async () => {
    putCamera({ still })
    const { screen, shoot, bytes, draft } = await openCamera()
    vi.spyOn(bytes, 'put').mockRejectedValueOnce(new DOMException('', 'QuotaExceededError'))
    await shoot()
    const dialog = screen.getByRole('dialog', { name: 'カメラ' })
    await waitFor(() => expect(dialog.textContent).toContain('端末の空き容量が足りません。'))
    expect(screen.queryByText('1枚撮影しました')).toBeNull()
    await shoot()
    expect(await screen.findByText('1枚撮影しました')).toBeDefined()
    await waitFor(() => expect(dialog.textContent).not.toContain('端末の空き容量が足りません。'))
    expect((await draft())?.photos).toHaveLength(1)
  })

  test('ends the stream when the page is hidden, and waits for a press to begin again', async () => {
    const { getUserMedia, tracks } = putCamera({ still, hasTorch: true })
    const { screen, user, shoot } = await openCamera()
    await shoot()
    await screen.findByText('1枚撮影しました')
    const light = screen.getByRole('button', { name: 'ライト' })
    await user.click(light)
    await waitFor(() => expect(light.getAttribute('aria-pressed')).toBe('true'))
    await hide('hidden')
    expect(tracks[0]?.stop).toHaveBeenCalledOnce()
    await hide('visible')
    expect(await screen.findByText(/画面を離れたので、カメラを止めました。/)).toBeDefined()
    expect(getUserMedia).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('button', { name: 'カメラを使う' }))
    expect(await screen.findByText('1枚撮影しました')).toBeDefined()
    expect(getUserMedia).toHaveBeenCalledTimes(2)
    expect(screen.getByRole('button', { name: 'ライト' }).getAttribute('aria-pressed')).toBe('false')
  })

  test.each([
    ['NotAllowedError', /カメラの使用が許可されていません。/],
    ['NotFoundError', /この端末でカメラが見つかりません。/],
    ['NotReadableError', /ほかのアプリやタブが使っていないか確認してください。/],
  ])('%s is said, is not asked again by itself, and leaves the picker', async (error, text) => {
    const { getUserMedia } = putCamera({ error })
    const { screen, user, draft } = await openCamera()
    expect(await screen.findByText(text)).toBeDefined()
    await hide('hidden')
    await hide('visible')
    expect(getUserMedia).toHaveBeenCalledOnce()
    const dialog = screen.getByRole('dialog', { name: 'カメラ' })
    const picker = dialog.querySelector('input') as HTMLInputElement
    picker.removeAttribute('accept')
    await user.upload(picker, new File([jpegFile({ bytes: 68 })], 'a.jpg'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect((await draft())?.photos).toHaveLength(1))
  })

  test('an address that names it asks nobody until it is pressed', async () => {
    const { getUserMedia } = putCamera({ still })
    const { screen, user, router } = await openForm()
    await screen.findByRole('button', { name: 'カメラで撮影' })
    router.history.push('/outbox?popup=camera')
    await user.click(await screen.findByRole('button', { name: 'カメラを使う' }))
    await screen.findByText('ボタンを押すと撮影します')
    expect(getUserMedia).toHaveBeenCalledOnce()
  })

  test('a picture that cannot be taken is said, and the next one is taken', async () => {
    const { last } = putCamera({ still })
    const { screen, shoot } = await openCamera()
    await screen.findByText('1920 × 1440')
    last().muted = true
    await shoot()
    expect(await screen.findByText('撮影できませんでした。もう一度押してください。')).toBeDefined()
    last().muted = false
    await shoot()
    expect(await screen.findByText('1枚撮影しました')).toBeDefined()
  })
})

describe('[decisions/camera] 前回の写真', () => {
  test('is offered only where one of the record or its place is on the device', async () => {
    putCamera({ still })
    const { screen, user, shoot, draft } = await openCamera()
    await shoot()
    await screen.findByText('1枚撮影しました')
    expect(screen.queryByRole('button', { name: '前回の写真' })).toBeNull()
    await user.click(screen.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

    await user.click(screen.getByRole('button', { name: 'カメラで撮影' }))
    const toggle = await screen.findByRole('button', { name: '前回の写真' })
    expect(document.querySelectorAll('[class*="overlay"] img')).toHaveLength(0)
    await user.click(toggle)
    await waitFor(() => expect(document.querySelectorAll('[class*="overlay"] img')).toHaveLength(1))
    expect((await draft())?.photos).toHaveLength(1)
  })
})
