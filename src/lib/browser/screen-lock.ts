/** After how long the screen of this device is locked when it was left (decisions/encryption). */

/** Minutes; `off`: never. */
export type LockAfter = 'off' | '0' | '5' | '15' | '60'

/** `locked` and `unlocked` are told to all pages of this device, frames too. */
export const LOCK_CHANNEL = 'genba-lock'
const KNOWN: readonly string[] = ['0', '5', '15', '60']

/** @param stored null where none is set; one that this version does not know locks at once */
export const lockAfterOf = (stored: string | null): LockAfter =>
  stored === null ? 'off' : KNOWN.includes(stored) ? (stored as LockAfter) : '0'
