/** The delay of the screen lock: how long the app is not visible before the screen locks (decisions/encryption). */

/** Delay in minutes; `off`: the screen never locks. */
export type LockAfter = 'off' | '0' | '5' | '15' | '60'

/** Channel that sends `locked` and `unlocked` to all pages of the app on this device, including hidden iframes. */
export const LOCK_CHANNEL = 'genba-lock'
const KNOWN: readonly string[] = ['0', '5', '15', '60']

/** @param stored the stored delay; null if none is set. An unknown delay counts as 0. */
export function lockAfterOf(stored: string | null): LockAfter {
  if (stored === null) return 'off'
  return KNOWN.includes(stored) ? (stored as LockAfter) : '0'
}
