/** The time after which an unattended screen locks (decisions/encryption). */

/** Minutes; `off` means never. */
export type LockAfter = 'off' | '0' | '5' | '15' | '60'

/** Name of the channel that sends `locked` and `unlocked` to all pages on this device, including frames. */
export const LOCK_CHANNEL = 'genba-lock'
const KNOWN: readonly string[] = ['0', '5', '15', '60']

/** @param stored null if not set. An unknown value locks at once. */
export const lockAfterOf = (stored: string | null): LockAfter =>
  stored === null ? 'off' : KNOWN.includes(stored) ? (stored as LockAfter) : '0'
