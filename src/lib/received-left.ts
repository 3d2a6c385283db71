/** Why shared files were not stored, and how many: `ec00015-2.full-1`, in a redirect's URL, which is not trusted. */

/**
 * Why a file was not stored. `ec00015`: no photo. `ec00016`: too large. `full`: too many photos wait. `room`: the
 * device is full. `login`: no user was signed in during the last day. `worker`: the host answered, because the
 * service worker is not installed. `failed`: the file cannot be read.
 */
const REASONS = ['ec00015', 'ec00016', 'full', 'room', 'login', 'worker', 'failed'] as const
export type LeftReason = (typeof REASONS)[number]

export type LeftPhotos = { why: LeftReason; n: number }

/** Maximum number of shared photos that wait on the device until the user chooses a form. */
export const RECEIVED_MAX = 20

export const leftText = (left: readonly LeftPhotos[]): string =>
  left.map(({ why, n }) => `${why}-${n}`).join('.')

/** Parses the URL parameter that says why shared photos were left out. Unknown parts and repetitions are skipped. */
export function leftIn(text: string | undefined): LeftPhotos[] {
  const parts = (text ?? '').split('.', REASONS.length).map((part) => /^(\w+)-(\d{1,3})$/.exec(part))
  const known = parts.flatMap((part) => {
    const why = REASONS.find((each) => each === part?.[1])
    return why ? [{ why, n: Number(part?.[2]) }] : []
  })
  return known.filter(({ why }, index) => known.findIndex((each) => each.why === why) === index)
}
