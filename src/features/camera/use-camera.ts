import { type RefObject, useEffect, useReducer, useRef } from 'react'
import { CLOSED, step, type CameraState, type StopReason } from './camera-state.ts'
import { openCamera, type OpenCamera } from './open-camera.ts'

/** The name of a picture before the photo rules put the time in front of it. */
const NAME = 'camera.jpg'

/** One visit of the camera: one call of `getUserMedia`. */
interface Visit {
  camera?: OpenCamera
  isShooting: boolean
}

interface CameraParts {
  video: RefObject<HTMLVideoElement | null>
  /** True if the camera was opened by a press, false if it was in the URL already. */
  startsAtOnce: boolean
  /** Stores a picture. @returns true once it is on the device */
  onShot: (file: File) => Promise<boolean>
}

export interface Camera {
  state: CameraState
  /** Requests the camera; to be called for a press only. */
  ask(): void
  shoot(): void
  toggleTorch(): void
}

/** Runs the camera: the stream ends when the page is hidden or this component is removed. */
export function useCamera({ video, startsAtOnce, onShot }: CameraParts): Camera {
  const [state, send] = useReducer(step, CLOSED)
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
    const element = video.current
    if (!element) return undefined
    element.srcObject = opened.stream
    // Rejects if the stream ends meanwhile.
    return element.play().catch(() => undefined)
  }

  function ask() {
    if (visit.current) return
    visit.current = { isShooting: false }
    send({ kind: 'ask' })
    void open(visit.current)
  }

  async function take(own: Visit, camera: OpenCamera, from: HTMLVideoElement) {
    own.isShooting = true
    send({ kind: 'shoot' })
    const blob = await camera.shoot(from).catch(() => null)
    own.isShooting = false
    if (!blob) return send({ kind: 'missed' })
    send({ kind: 'shot' })
    // Without a time of its own the picture gets that of the device's clock.
    const isStored = await onShot(new File([blob], NAME, { type: blob.type, lastModified: 0 }))
    return send({ kind: 'stored', isStored })
  }

  useVisits({ startsAtOnce, ask, end })
  return {
    state,
    ask,
    shoot() {
      const own = visit.current
      if (own?.camera && video.current && !own.isShooting) void take(own, own.camera, video.current)
    },
    toggleTorch() {
      const { phase } = state
      const isOn = phase.kind === 'live' && phase.torch === 'off'
      const set = visit.current?.camera?.setTorch(isOn)
      void set?.then(
        () => send({ kind: 'torch', isOn }),
        () => send({ kind: 'torch', isOn: !isOn }),
      )
    },
  }
}

interface Visits {
  startsAtOnce: boolean
  ask: () => void
  end: (why: StopReason) => void
}

/** Begins with the press that opened the camera, and ends with the page or the component. */
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
