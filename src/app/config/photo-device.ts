/** What taking a photo needs of the device, loaded with the first one: its position, and the work on the picture. */
import { GEOLOCATION_EXTRA_MS, GEOLOCATION_TIMEOUT_MS } from '#schemas/limits.ts'
import { currentPosition, placeText } from '#lib/image/position.ts'

/** `latitude,longitude`, or '' where there is no position within the limit of time. */
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
