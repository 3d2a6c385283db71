/** A camera of a browser without one: a track that can end, and a still picture of the test's choice. */
import { vi } from 'vitest'
import { afterThisTest } from '../../support/undo.ts'

interface FakeCamera {
  hasTorch?: boolean
  /** What `takePhoto` gives; undefined where the browser has no ImageCapture. */
  still?: () => Promise<Blob>
  /** The name of the error that `getUserMedia` rejects with. */
  error?: string
}

function fakeTrack({ hasTorch = false }: FakeCamera = {}) {
  const track = Object.assign(new EventTarget(), {
    readyState: 'live',
    muted: false,
    getSettings: () => ({ width: 1920, height: 1440 }),
    getCapabilities: () => (hasTorch ? { torch: true } : {}),
    applyConstraints: vi.fn<(wanted: object) => Promise<void>>(async () => undefined),
    stop: vi.fn<() => void>(() => void (track.readyState = 'ended')),
  })
  return track
}

/** Puts the camera into this page until the test ends. */
export function putCamera(camera: FakeCamera = {}) {
  const tracks: ReturnType<typeof fakeTrack>[] = []
  const getUserMedia = vi.fn<(wanted: object) => Promise<MediaStream>>(async () => {
    if (camera.error) throw new DOMException('no camera', camera.error)
    const track = fakeTrack(camera)
    tracks.push(track)
    const all = () => [track] as unknown as MediaStreamTrack[]
    return Object.assign(new MediaStream(), { getTracks: all, getVideoTracks: all })
  })
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  const { still } = camera
  if (still)
    vi.stubGlobal(
      'ImageCapture',
      class {
        takePhoto = still
      },
    )
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
  afterThisTest(() => {
    Reflect.deleteProperty(navigator, 'mediaDevices')
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return { getUserMedia, tracks, last: () => tracks.at(-1) as ReturnType<typeof fakeTrack> }
}
