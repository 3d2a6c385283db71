/** The device's camera: what is requested of it, and what it says when there is none. */
import { expect, describe, test, vi } from 'vitest'
import { openCamera, type OpenCamera } from '#features/camera/open-camera.ts'
import { jpegFile } from '../../support/image-files.ts'
import { putCamera } from './fake-camera.ts'

const NOTHING = () => undefined

describe('[decisions/camera] the device’s camera', () => {
  test.each([
    ['NotAllowedError', 'refused'],
    ['SecurityError', 'refused'],
    ['NotFoundError', 'missing'],
    ['OverconstrainedError', 'missing'],
    ['NotReadableError', 'busy'],
    ['AbortError', 'busy'],
    ['TypeError', 'failed'],
  ])('%s is said as %s', async (error, why) => {
    putCamera({ error })
    expect(await openCamera(navigator.mediaDevices, NOTHING)).toEqual({ why })
  })

  test('a page without cameras says so', async () =>
    expect(await openCamera(undefined, NOTHING)).toEqual({ why: 'unsupported' }))

  test('the size is a wish, and the size that came is known', async () => {
    const { getUserMedia } = putCamera()
    const camera = (await openCamera(navigator.mediaDevices, NOTHING)) as OpenCamera
    expect(JSON.stringify(getUserMedia.mock.calls)).not.toMatch(/exact|"min"|"max"/)
    expect(camera.size).toEqual({ width: 1920, height: 1440 })
  })

  test('the light is that of the track, and ends with the stream', async () => {
    const { last } = putCamera({ hasTorch: true })
    const ended = vi.fn<() => void>()
    const camera = (await openCamera(navigator.mediaDevices, ended)) as OpenCamera
    expect(camera.hasTorch).toBe(true)
    await camera.setTorch(true)
    expect(last().applyConstraints).toHaveBeenCalledExactlyOnceWith({ advanced: [{ torch: true }] })
    last().dispatchEvent(new Event('ended'))
    expect(ended).toHaveBeenCalledOnce()
    camera.stop()
    expect(last().stop).toHaveBeenCalledOnce()
  })

  test('a track that is muted or ended gives no picture, one that is live gives that of the whole sensor', async () => {
    const photo = new Blob([jpegFile()], { type: 'image/jpeg' })
    const { last } = putCamera({ still: async () => photo })
    const camera = (await openCamera(navigator.mediaDevices, NOTHING)) as OpenCamera
    const video = document.createElement('video')
    expect(await camera.shoot(video)).toBe(photo)
    last().muted = true
    await expect(camera.shoot(video)).rejects.toThrow('no picture')
    Object.assign(last(), { muted: false, readyState: 'ended' })
    await expect(camera.shoot(video)).rejects.toThrow('no picture')
  })
})
