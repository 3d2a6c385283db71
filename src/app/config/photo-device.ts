/** Position and image processing, loaded with the first photo. */
import { GEOLOCATION_EXTRA_MS, GEOLOCATION_TIMEOUT_MS } from '#schemas/limits.ts'
import { currentPosition, placeText } from '#lib/image/position.ts'

/** `latitude,longitude`, or '' without a position in time. */
export const devicePlace = async (): Promise<string> =>
  placeText(
    await currentPosition({
      geolocation: navigator.geolocation,
      userAgent: navigator.userAgent,
      maxTouchPoints: navigator.maxTouchPoints,
      timeoutMs: GEOLOCATION_TIMEOUT_MS,
      extraMs: GEOLOCATION_EXTRA_MS,
    }),
  )

export { startPhotoJobs as deviceJobs } from '#lib/image/start-photo-jobs.ts'
