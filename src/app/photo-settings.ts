/** What taking a photo needs of the device: its position, the limit of the configuration, and the choice in 設定. */
import { GEOLOCATION_EXTRA_MS, GEOLOCATION_TIMEOUT_MS, PHOTO_MAX_MB } from '#schemas/limits.ts'
import type { PhotoSettings } from '#data/app-context.tsx'
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

const positionParts = () => ({
  geolocation: navigator.geolocation,
  userAgent: navigator.userAgent,
  maxTouchPoints: navigator.maxTouchPoints,
  timeoutMs: GEOLOCATION_TIMEOUT_MS,
  extraMs: GEOLOCATION_EXTRA_MS,
})
