/**
 * The state of the camera in the page (decisions/camera):
 *
 *     stopped ── ask (a press) ──→ opening ─┬─ opened ──→ live ─┐
 *        ↑                                  └─ stop             ├─ stop (hidden, ended)
 *        └──────────────────────────────────────┴───────────────┘
 *
 * Only `ask` leads to a call of `getUserMedia`, and only a press leads to `ask`, so the browser does not ask the user again
 * after a refusal. `stored` counts photos that are on the device, not those that are still being stored.
 */
import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import type { Size } from '#lib/image/image.ts'
import { openCamera, type OpenCamera, type StopReason } from './open-camera.ts'

type Phase =
  | { kind: 'stopped'; why: StopReason }
  | { kind: 'opening' }
  | { kind: 'live'; size: Size; torch: 'none' | 'off' | 'on' }

export interface CameraState {
  phase: Phase
  isShooting: boolean
  isMissed: boolean
  pending: number
  stored: number
}

export type CameraEvent =
  | { kind: 'ask' }
  | { kind: 'opened'; size: Size; hasTorch: boolean }
  | { kind: 'stop'; why: StopReason }
  | { kind: 'torch'; isOn: boolean }
  | { kind: 'shoot' }
  | { kind: 'shot' }
  | { kind: 'missed' }
  | { kind: 'stored'; isStored: boolean }

export const CLOSED: CameraState = {
  phase: { kind: 'stopped', why: 'unasked' },
  isShooting: false,
  isMissed: false,
  pending: 0,
  stored: 0,
}

/** Maximum of `pending`. It limits the memory when the user takes pictures faster than the device stores them. */
const PENDING_MAX = 6

export const canShoot = ({ phase, isShooting, pending }: CameraState): boolean =>
  phase.kind === 'live' && !isShooting && pending < PENDING_MAX

/** Returns the state after an event. An event that does not fit the state changes nothing. */
export function step(state: CameraState, event: CameraEvent): CameraState {
  const { phase } = state
  switch (event.kind) {
    case 'ask':
      return phase.kind === 'stopped' ? { ...state, phase: { kind: 'opening' }, isMissed: false } : state
    case 'opened': {
      if (phase.kind !== 'opening') return state
      const torch = event.hasTorch ? 'off' : 'none'
      return { ...state, phase: { kind: 'live', size: event.size, torch } }
    }
    case 'stop':
      return phase.kind === 'stopped' ? state : { ...state, phase: { kind: 'stopped', why: event.why } }
    case 'torch': {
      if (phase.kind !== 'live' || phase.torch === 'none') return state
      return { ...state, phase: { ...phase, torch: event.isOn ? 'on' : 'off' } }
    }
    case 'shoot':
      return canShoot(state) ? { ...state, isShooting: true, isMissed: false } : state
    case 'shot':
      return state.isShooting ? { ...state, isShooting: false, pending: state.pending + 1 } : state
    case 'missed':
      return state.isShooting ? { ...state, isShooting: false, isMissed: true } : state
    case 'stored':
      if (state.pending === 0) return state
      return { ...state, pending: state.pending - 1, stored: state.stored + Number(event.isStored) }
  }
}

/** File name of a picture. The app adds the time when it stores the picture. */
const NAME = 'camera.jpg'

interface Session {
  camera?: OpenCamera
  isShooting: boolean
}

export interface CameraOptions {
  /** True if a press opened the popup. Otherwise, for example after a reload, the camera waits for a press. */
  startsAtOnce: boolean
  /** Stores a picture. @returns true once it is on the device */
  onShot: (file: File) => Promise<boolean>
}

/** Runs the camera. The stream ends when the page is hidden or the component unmounts. */
export function useCamera({ startsAtOnce, onShot }: CameraOptions) {
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
    if (!video.current) return
    video.current.srcObject = opened.stream
    // `play` rejects if the stream ends before it starts to play.
    await video.current.play().catch(() => undefined)
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
    /** Opens the camera. Called only for a press, because the browser may ask the user for permission. */
    ask,
    shoot() {
      const { current } = session
      if (video.current && current && !current.isShooting) void take(current, video.current, send, onShot)
    },
    toggleTorch() {
      const isOn = state.phase.kind === 'live' && state.phase.torch === 'off'
      // If the device refuses, the button keeps showing the state before the press.
      session.current?.camera?.setTorch(isOn).then(
        () => send({ kind: 'torch', isOn }),
        () => undefined,
      )
    },
  }
}

type Send = (event: CameraEvent) => void

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

/** Starts the camera if the user's press opened the popup. Stops it when the page is hidden or the popup unmounts. */
function useStartAndStop(startsAtOnce: boolean, ask: () => void, end: (why: StopReason) => void) {
  const start = useEffectEvent(() => startsAtOnce && ask())
  const stop = useEffectEvent(() => end('hidden'))
  useEffect(() => {
    start()
    const listening = new AbortController()
    const { signal } = listening
    const hidden = () => document.visibilityState === 'hidden' && stop()
    document.addEventListener('visibilitychange', hidden, { signal })
    window.addEventListener('pagehide', () => stop(), { signal })
    return () => {
      listening.abort()
      stop()
    }
  }, [])
}
