import { type RefObject, useEffect, useReducer, useRef } from 'react'
import { CLOSED, step, type CameraEvent, type CameraState, type StopReason } from './camera-state.ts'
import { openCamera, type OpenCamera } from './open-camera.ts'

/** The name of a picture before the photo rules put the time in front of it. */
const NAME = 'camera.jpg'

/** One camera session: one call of `getUserMedia`. */
interface Visit {
  camera?: OpenCamera
  isShooting: boolean
}

interface CameraParts {
  /** True if the camera was opened by a press, false if it was in the URL already. */
  startsAtOnce: boolean
  /** Stores a picture. @returns true once it is on the device */
  onShot: (file: File) => Promise<boolean>
}

export interface Camera {
  state: CameraState
  /** Ref of the element that shows the stream. */
  video: RefObject<HTMLVideoElement | null>
  /** Requests the camera; to be called for a press only. */
  ask(): void
  shoot(): void
  toggleTorch(): void
}

/** Runs the camera: the stream ends when the page is hidden or this component is removed. */
export function useCamera({ startsAtOnce, onShot }: CameraParts): Camera {
  const [state, send] = useReducer(step, CLOSED)
  const video = useRef<HTMLVideoElement>(null)
  const visit = useRef<Visit | null>(null)

  function end(why: StopReason) {
    const ending = visit.current
    visit.current = null
    ending?.camera?.stop()
    send({ kind: 'stop', why })
  }

  async function open(own: Visit) {
    const opened = await openCamera(navigator.mediaDevices, () => visit.current === own && end('ended'))
    if (visit.current !== own) return 'stop' in opened && opened.stop()
    if ('why' in opened) return end(opened.why)
    own.camera = opened
    if (document.visibilityState === 'hidden') return end('hidden')
    send({ kind: 'opened', size: opened.size, hasTorch: opened.hasTorch })
    if (video.current) await show(video.current, opened.stream)
  }

  function ask() {
    if (visit.current) return
    visit.current = { isShooting: false }
    send({ kind: 'ask' })
    void open(visit.current)
  }

  useVisits({ startsAtOnce, ask, end })
  return {
    state,
    video,
    ask,
    shoot() {
      const own = visit.current
      if (video.current && own && !own.isShooting) void take(own, video.current, send, onShot)
    },
    toggleTorch() {
      const { phase } = state
      if (phase.kind === 'live') void switchTorch(visit.current, phase.torch === 'off', send)
    },
  }
}

type Send = (event: CameraEvent) => void

async function show(video: HTMLVideoElement, stream: MediaStream): Promise<void> {
  video.srcObject = stream
  // Rejects if the stream ends meanwhile.
  await video.play().catch(() => undefined)
}

/** Takes one picture and has it stored. */
async function take(own: Visit, video: HTMLVideoElement, send: Send, onShot: CameraParts['onShot']) {
  if (!own.camera) return
  own.isShooting = true
  send({ kind: 'shoot' })
  const blob = await own.camera.shoot(video).catch(() => null)
  own.isShooting = false
  if (!blob) return send({ kind: 'missed' })
  send({ kind: 'shot' })
  // Without a time of its own the picture gets that of the device's clock.
  const isStored = await onShot(new File([blob], NAME, { type: blob.type, lastModified: 0 }))
  send({ kind: 'stored', isStored })
}

/** Switches the torch. If the device refuses, the shown state does not change. */
async function switchTorch(own: Visit | null, isOn: boolean, send: Send) {
  const isSet = await own?.camera?.setTorch(isOn).then(
    () => true,
    () => false,
  )
  if (isSet) send({ kind: 'torch', isOn })
}

interface Visits {
  startsAtOnce: boolean
  ask: () => void
  end: (why: StopReason) => void
}

/** Starts the camera if a press opened this screen. Stops it when the page is hidden or the component is removed. */
function useVisits(visits: Visits) {
  const latest = useRef(visits)
  useEffect(() => {
    latest.current = visits
  })
  useEffect(() => {
    if (latest.current.startsAtOnce) latest.current.ask()
    const hide = () => {
      if (document.visibilityState === 'hidden') latest.current.end('hidden')
    }
    const leave = () => latest.current.end('hidden')
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
}
