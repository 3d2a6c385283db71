/**
 * What a share could not be stored, as text for the address that the service worker redirects to: `ec00015-2.full-1`.
 * The page reads it again; anybody may have written it.
 */

/**
 * `ec00015`: not a photo. `ec00016`: too large. `full`: too many photos wait already. `room`: the device is full.
 * `login`: nobody has signed in. `worker`: the app was not there, and the host answered. `failed`: it could not be read.
 */
const REASONS = ['ec00015', 'ec00016', 'full', 'room', 'login', 'worker', 'failed'] as const
export type LeftReason = (typeof REASONS)[number]

export interface LeftPhotos {
  why: LeftReason
  /** Number of files; 0 if nobody knows. */
  n: number
}

/** Photos that may wait, in all. */
export const RECEIVED_MAX = 20

export const leftText = (left: readonly LeftPhotos[]): string =>
  left.map(({ why, n }) => `${why}-${n}`).join('.')

/** Parses the text; what it does not know is skipped, and each reason counts once. */
export function leftIn(text: string | undefined): LeftPhotos[] {
  const parts = (text ?? '').split('.', REASONS.length).map((part) => /^(\w+)-(\d{1,3})$/.exec(part))
  const known = parts.flatMap((part) => {
    const why = REASONS.find((each) => each === part?.[1])
    return why ? [{ why, n: Number(part?.[2]) }] : []
  })
  return known.filter(({ why }, at) => known.findIndex((each) => each.why === why) === at)
}
