import { type RefObject, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { CLOSED, step, type CameraEvent, type CameraState, type StopReason } from './camera-state.ts'
import { openCamera, type OpenCamera } from './open-camera.ts'

/** File name of a picture. The app adds the time when it stores the picture. */
const NAME = 'camera.jpg'

/** One use of the camera, from a press until the stream ends. */
interface Session {
  /** Missing until the camera is open. */
  camera?: OpenCamera
  isShooting: boolean
}

interface CameraOptions {
  /** True if a press opened the popup. Otherwise, for example after a reload, the camera waits for a press. */
  startsAtOnce: boolean
  /** Stores a picture. @returns true once it is on the device */
  onShot: (file: File) => Promise<boolean>
}

export interface Camera {
  state: CameraState
  video: RefObject<HTMLVideoElement | null>
  /** Opens the camera. Called only for a press, because the browser may ask the user for permission. */
  ask(): void
  shoot(): void
  toggleTorch(): void
}

/** Runs the camera. The stream ends when the page is hidden or the component unmounts. */
export function useCamera({ startsAtOnce, onShot }: CameraOptions): Camera {
  const [state, send] = useReducer(step, CLOSED)
  const video = useRef<HTMLVideoElement>(null)
  const session = useRef<Session | null>(null)

  function end(why: StopReason) {
    const ending = session.current
    session.current = null
    ending?.camera?.stop()
    send({ kind: 'stop', why })
  }

  async function open(own: Session) {
    const opened = await openCamera(navigator.mediaDevices, () => session.current === own && end('ended'))
    // The popup may have been closed while the camera opened.
    if (session.current !== own) return 'stop' in opened && opened.stop()
    if ('why' in opened) return end(opened.why)
    own.camera = opened
    if (document.visibilityState === 'hidden') return end('hidden')
    send({ kind: 'opened', size: opened.size, hasTorch: opened.hasTorch })
    if (video.current) await show(video.current, opened.stream)
  }

  function ask() {
    if (session.current) return
    session.current = { isShooting: false }
    send({ kind: 'ask' })
    void open(session.current)
  }

  useStartAndStop(startsAtOnce, ask, end)
  return {
    state,
    video,
    ask,
    shoot() {
      const { current } = session
      if (video.current && current && !current.isShooting) void take(current, video.current, send, onShot)
    },
    toggleTorch() {
      const { phase } = state
      if (phase.kind === 'live') void switchTorch(session.current, phase.torch === 'off', send)
    },
  }
}

type Send = (event: CameraEvent) => void

async function show(video: HTMLVideoElement, stream: MediaStream): Promise<void> {
  video.srcObject = stream
  // `play` rejects if the stream ends before it starts to play.
  await video.play().catch(() => undefined)
}

async function take(own: Session, video: HTMLVideoElement, send: Send, onShot: CameraOptions['onShot']) {
  if (!own.camera) return
  own.isShooting = true
  send({ kind: 'shoot' })
  const blob = await own.camera.shoot(video).catch(() => null)
  own.isShooting = false
  if (!blob) return send({ kind: 'missed' })
  send({ kind: 'shot' })
  // `lastModified: 0` makes `readPhoto` use the device's clock as the time of the photo.
  const isStored = await onShot(new File([blob], NAME, { type: blob.type, lastModified: 0 }))
  send({ kind: 'stored', isStored })
}

/** Switches the light on or off. If the device refuses, the button keeps showing the state before the press. */
async function switchTorch(own: Session | null, isOn: boolean, send: Send) {
  const isSet = await own?.camera?.setTorch(isOn).then(
    () => true,
    () => false,
  )
  if (isSet) send({ kind: 'torch', isOn })
}

/** Starts the camera if the user's press opened the popup. Stops it when the page is hidden or the popup unmounts. */
function useStartAndStop(startsAtOnce: boolean, ask: () => void, end: (why: StopReason) => void) {
  const start = useEffectEvent(() => startsAtOnce && ask())
  const stop = useEffectEvent(() => end('hidden'))
  useEffect(() => {
    start()
    const stopIfHidden = () => {
      if (document.visibilityState === 'hidden') stop()
    }
    const leave = () => stop()
    document.addEventListener('visibilitychange', stopIfHidden)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', stopIfHidden)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
}
