/** What forms need for photos: size limit, choice in 設定 to send originals, position of the device, image processing. */
import { PHOTO_MAX_MB } from '#schemas/limits.ts'
import type { PhotoSettings } from '#data/context/app-context.tsx'
import { loadedOnce } from '#lib/browser/missing-code.ts'
import { createValueStore } from '#lib/value-store.ts'

const KEY = 'genba:photo-original'
const ON = 'yes'

/** @param imageSizeLimit returns the configured limit in megabytes */
export function createPhotoSettings(imageSizeLimit: () => string): PhotoSettings {
  const isOn = () => localStorage.getItem(KEY) === ON
  const original = createValueStore(isOn())
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) original.set(isOn())
  })
  return {
    get maxMb() {
      const limit = Number(imageSizeLimit())
      return limit > 0 ? limit : PHOTO_MAX_MB
    },
    place: () =>
      import('#lib/image/position.ts')
        .then(async ({ currentPosition, placeText }) => placeText(await currentPosition(navigator)))
        .catch(() => ''),
    jobs: loadedOnce(async () => (await import('#lib/image/start-photo-jobs.ts')).startPhotoJobs()),
    original: {
      ...original,
      set(on) {
        original.set(on)
        if (on) localStorage.setItem(KEY, ON)
        else localStorage.removeItem(KEY)
      },
    },
  }
}
