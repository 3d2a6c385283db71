/**
 * Shared files that could not be stored, as text in the address that the service worker redirects to: `ec00015-2.full-1`.
 * The page parses the text, and treats it as untrusted.
 */

/**
 * Why a file was not stored. `ec00015`: the file is not a photo. `ec00016`: the file is too large. `full`: too many photos wait
 * already. `room`: the device is full. `login`: nobody is signed in or was within a day. `worker`: the service worker was
 * not installed, and the host answered. `failed`: the file could not be read.
 */
const REASONS = ['ec00015', 'ec00016', 'full', 'room', 'login', 'worker', 'failed'] as const
export type LeftReason = (typeof REASONS)[number]

export interface LeftPhotos {
  why: LeftReason
  /** Number of files; 0 if unknown. */
  n: number
}

/** Maximum number of photos that wait. */
export const RECEIVED_MAX = 20

export const leftText = (left: readonly LeftPhotos[]): string =>
  left.map(({ why, n }) => `${why}-${n}`).join('.')

/** Parses the text. Unknown parts are skipped, and each reason counts once. */
export function leftIn(text: string | undefined): LeftPhotos[] {
  const parts = (text ?? '').split('.', REASONS.length).map((part) => /^(\w+)-(\d{1,3})$/.exec(part))
  const known = parts.flatMap((part) => {
    const why = REASONS.find((each) => each === part?.[1])
    return why ? [{ why, n: Number(part?.[2]) }] : []
  })
  return known.filter(({ why }, index) => known.findIndex((each) => each.why === why) === index)
}
