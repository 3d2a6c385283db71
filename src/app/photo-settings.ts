/** What taking a photo needs of the device: its position, the limit of the configuration, and the choice in 設定. */
import {
  GEOLOCATION_EXTRA_MS,
  GEOLOCATION_TIMEOUT_MS,
  PHOTO_MAX_MB,
  PHOTO_MAX_PIXELS,
} from '#schemas/limits.ts'
import type { PhotoSettings } from '#data/app-context.tsx'
import type { PhotoJobs } from '#lib/photo-jobs.ts'
import { currentPosition, placeText } from '#lib/position.ts'
import { createValueStore } from './value-store.ts'

const KEY = 'genba:photo-original'
const ON = 'yes'

/** @param imageSizeLimit megabytes, as the configuration has it */
export function createPhotoSettings(imageSizeLimit: string): PhotoSettings {
  const original = createValueStore(localStorage.getItem(KEY) === ON)
  const limit = Number(imageSizeLimit)
  return {
    maxMb: limit > 0 ? limit : PHOTO_MAX_MB,
    place: async () => placeText(await currentPosition(positionParts())),
    jobs: jobsLater(),
    original: {
      get: original.get,
      subscribe: original.subscribe,
      set(on) {
        if (on) localStorage.setItem(KEY, ON)
        else localStorage.removeItem(KEY)
        original.set(on)
      },
    },
  }
}

/** Loaded with the first photo; one that could not be loaded is tried again. */
function jobsLater(): PhotoJobs {
  let loading: Promise<PhotoJobs> | undefined
  const jobs = () =>
    (loading ??= import('#lib/start-photo-jobs.ts')
      .then(({ startPhotoJobs }) => startPhotoJobs(PHOTO_MAX_PIXELS))
      .catch((error: unknown) => {
        loading = undefined
        throw error
      }))
  return {
    prepare: async (file, options) => (await jobs()).prepare(file, options),
    thumb: async (file, options) => (await jobs()).thumb(file, options),
  }
}

const positionParts = () => ({
  geolocation: navigator.geolocation,
  userAgent: navigator.userAgent,
  maxTouchPoints: navigator.maxTouchPoints,
  timeoutMs: GEOLOCATION_TIMEOUT_MS,
  extraMs: GEOLOCATION_EXTRA_MS,
})
