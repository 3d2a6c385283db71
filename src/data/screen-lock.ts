/** The lock of the screen, as screens see it (decision 0084). */
import type { LockAfter } from '#lib/screen-lock.ts'
import type { ValueStore } from './app-context.tsx'

/** asking: not known yet, in the first moments after a start. */
export type LockState = 'open' | 'asking' | 'locked'

/** wait: nothing was tried; `waitMs` until the next try. */
export type Unlocking = { kind: 'open' } | { kind: 'wrong' | 'wait'; waitMs: number } | { kind: 'failed' }

/** no-key: there is none before the next login; the others are of the device. */
export type PasskeyStanding = 'set' | 'none' | 'no-key' | 'unsupported'
export type PasskeyAdded = 'set' | 'cancelled' | 'unsupported'

export interface LockControl {
  after: ValueStore<LockAfter> & { set(after: LockAfter): void }
  /** Null until it was read. */
  passkey: ValueStore<PasskeyStanding | null>
  addPasskey(): Promise<PasskeyAdded>
  removePasskey(): Promise<void>
  unlock(password: string): Promise<Unlocking>
  unlockByPasskey(): Promise<Unlocking>
  /** Milliseconds until a password may be tried; 0: now. */
  wait(): number
}

export interface ScreenLock {
  state: ValueStore<LockState>
  /** What it is worked with, loaded where it is. */
  control(): Promise<LockControl>
}
