/** What taking a photo needs of the device, loaded with the first one: its position, and the work on the picture. */
import { GEOLOCATION_EXTRA_MS, GEOLOCATION_TIMEOUT_MS, PHOTO_MAX_PIXELS } from '#schemas/limits.ts'
import { currentPosition, placeText } from '#lib/position.ts'
import { startPhotoJobs } from '#lib/start-photo-jobs.ts'

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

export const deviceJobs = () => startPhotoJobs(PHOTO_MAX_PIXELS)
