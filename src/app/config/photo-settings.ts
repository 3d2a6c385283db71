/** Settings of photos: the configured limit, the choice in 設定, and the functions of the device. */
import { PHOTO_MAX_MB } from '#schemas/limits.ts'
import type { PhotoSettings } from '#data/context/app-context.tsx'
import { createValueStore } from '#lib/value-store.ts'

const KEY = 'genba:photo-original'
const ON = 'yes'

const device = () => import('./photo-device.ts')

/** @param imageSizeLimit megabytes, as configured */
export function createPhotoSettings(imageSizeLimit: () => string): PhotoSettings {
  const isOn = () => localStorage.getItem(KEY) === ON
  const original = createValueStore(isOn())
  // chosen in another tab
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) original.set(isOn())
  })
  let jobs: ReturnType<PhotoSettings['jobs']> | undefined
  return {
    get maxMb() {
      const limit = Number(imageSizeLimit())
      return limit > 0 ? limit : PHOTO_MAX_MB
    },
    place: () =>
      device().then(
        ({ devicePlace }) => devicePlace(),
        () => '',
      ),
    async jobs() {
      jobs ??= device().then(({ deviceJobs }) => deviceJobs())
      // a failed load is tried again
      jobs.catch(() => (jobs = undefined))
      return jobs
    },
    original: {
      get: original.get,
      subscribe: original.subscribe,
      set(on) {
        original.set(on)
        if (on) localStorage.setItem(KEY, ON)
        else localStorage.removeItem(KEY)
      },
    },
  }
}
