import { browserImages } from '#lib/image/browser-images.ts'
import { fitting } from '#lib/image/image.ts'
import { withTimeLimit } from '#lib/image/read-in-time.ts'

/** Why the camera is stopped. `unasked`: the user has not pressed a button yet. `ended`: the device has ended the stream. */
export type StopReason =
  | 'unasked'
  | 'hidden'
  | 'ended'
  | 'refused'
  | 'missing'
  | 'busy'
  | 'unsupported'
  | 'failed'

export type OpenCamera = ReturnType<typeof cameraOf>

/** The back camera in the size of sent photos. With `exact` a phone with another size or camera would give no stream. */
const WANTED = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 2048 }, height: { ideal: 1536 } },
} as const

/** JPEG quality of a video frame. It is high, because scaling the photo down for sending encodes it again. */
const FRAME_QUALITY = 0.92
/** Time limit for `ImageCapture.takePhoto`. After the first timeout only video frames are used. */
const STILL_LIMIT_MS = 5_000

/** Opens the camera; the browser may ask for permission. @param devices undefined without camera support */
export async function openCamera(
  devices: Pick<MediaDevices, 'getUserMedia'> | undefined,
  onEnded: () => void,
): Promise<OpenCamera | { why: StopReason }> {
  if (!devices) return { why: 'unsupported' }
  try {
    const stream = await devices.getUserMedia(WANTED)
    const [track] = stream.getVideoTracks()
    return track ? cameraOf(stream, track, onEnded) : { why: 'missing' }
  } catch (error) {
    return { why: reasonOf(error) }
  }
}

const REASONS: Readonly<Record<string, StopReason>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

const reasonOf = (error: unknown): StopReason =>
  (error instanceof Error ? REASONS[error.name] : undefined) ?? 'failed'

function cameraOf(stream: MediaStream, track: MediaStreamTrack, onEnded: () => void) {
  const { width = 0, height = 0 } = track.getSettings()
  const takeStill = stillsOf(track)
  track.addEventListener('ended', onEnded)
  return {
    stream,
    /** The stream's actual size, which may differ from the requested size. */
    size: { width, height },
    // Old browsers lack `getCapabilities`.
    hasTorch: 'getCapabilities' in track && Boolean(Reflect.get(track.getCapabilities(), 'torch')),
    setTorch: (isOn: boolean) => track.applyConstraints({ advanced: [torch(isOn)] }),
    /** Takes a picture. @param video the element that shows the stream @throws if the camera gives no picture */
    async shoot(video: HTMLVideoElement): Promise<Blob> {
      // A muted track repeats its last picture, for example during a call.
      if (track.readyState !== 'live' || track.muted) throw new Error('camera: no picture')
      return (await takeStill()) ?? frameOf(video)
    },
    stop() {
      track.removeEventListener('ended', onEnded)
      for (const each of stream.getTracks()) each.stop()
    },
  }
}

/** A constraint of the Image Capture API, which TypeScript's types do not include. */
const torch = (isOn: boolean): MediaTrackConstraintSet & { torch: boolean } => ({ torch: isOn })

/** Takes pictures at the sensor's full resolution; undefined in a browser that cannot. */
function stillsOf(track: MediaStreamTrack): () => Promise<Blob | undefined> {
  let capture = typeof ImageCapture === 'undefined' ? undefined : new ImageCapture(track)
  return async () => {
    try {
      return await (capture && withTimeLimit(capture.takePhoto(), STILL_LIMIT_MS))
    } catch {
      capture = undefined
      return undefined
    }
  }
}

async function frameOf(video: HTMLVideoElement): Promise<Blob> {
  const frame = await createImageBitmap(video)
  try {
    const drawn = browserImages.draw(frame, fitting(frame, Infinity), 1)
    try {
      return new Blob([await browserImages.encode(drawn, FRAME_QUALITY)], { type: 'image/jpeg' })
    } finally {
      browserImages.close(drawn)
    }
  } finally {
    browserImages.close(frame)
  }
}
