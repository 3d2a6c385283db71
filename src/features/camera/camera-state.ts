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
import type { Size } from '#lib/image/image.ts'

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

type Phase =
  | { kind: 'stopped'; why: StopReason }
  | { kind: 'opening' }
  | { kind: 'live'; size: Size; torch: 'none' | 'off' | 'on' }

export interface CameraState {
  phase: Phase
  isShooting: boolean
  /** True if the last press on the shutter gave no picture. */
  isMissed: boolean
  /** Number of pictures that are still being stored. */
  pending: number
  /** Number of pictures that this camera has stored on the device. */
  stored: number
  /** Number of pictures that the device could not store or the photo checks refused. */
  refused: number
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
  refused: 0,
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
    case 'stored': {
      if (state.pending === 0) return state
      const { stored, refused } = state
      const counted = event.isStored ? { stored: stored + 1 } : { refused: refused + 1 }
      return { ...state, pending: state.pending - 1, ...counted }
    }
  }
}
