/** The screen lock of this browser. */
import type { LockState } from '#data/context/app-context.tsx'
import { LOCK_CHANNEL } from '#lib/browser/screen-lock.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { Keys } from '#app/session/state/keys.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import type { WritableStore } from '#lib/value-store.ts'
import { createLockControl } from './lock-control.ts'
import { passkeyDevice } from './passkey-device.ts'

export interface OpenLock {
  scope: string
  sessions: DeviceSessions
  values: DeviceValues
  keys: () => Promise<Keys>
  appName: () => string
  report: (problem: unknown) => void
}

export async function openLock(state: WritableStore<LockState>, { keys, ...parts }: OpenLock) {
  return createLockControl({
    ...parts,
    state,
    keys: await keys(),
    passkeys: passkeyDevice(navigator.credentials),
    channel: new BroadcastChannel(LOCK_CHANNEL),
    device: {
      page: document,
      window,
      now: Date.now,
      // if another tab sets the lock later, the page's start does not count
      begunAt: state.get() === 'asking' ? performance.timeOrigin : Date.now(),
      memory: localStorage,
      locks: navigator.locks,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    },
  })
}
