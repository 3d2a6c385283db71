/** Whether the screen of this device is locked after it was left, and after how long (decision 0084): for the first paint, too. */

/** Minutes; `off`: never. */
export type LockAfter = 'off' | '0' | '5' | '15' | '60'

export const LOCK_NAME = 'genba:lock'
/** `locked` and `unlocked` are told to all pages of this device, frames too. */
export const LOCK_CHANNEL = 'genba-lock'
/** There where the user has chosen, or the default was told: it is not set again. */
const CHOSEN = 'genba:lock-chosen'
const KNOWN: readonly string[] = ['0', '5', '15', '60']

/** One that this version does not know locks at once. */
export function lockAfter(): LockAfter {
  try {
    const kept = localStorage.getItem(LOCK_NAME)
    return kept === null ? 'off' : KNOWN.includes(kept) ? (kept as LockAfter) : '0'
  } catch {
    return 'off'
  }
}

/** Whether what `lockAfter` gives is somebody's choice. */
export const isLockChosen = (): boolean => localStorage.getItem(CHOSEN) !== null || lockAfter() !== 'off'

export const lockChosen = (): void => localStorage.setItem(CHOSEN, '1')
