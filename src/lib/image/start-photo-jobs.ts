/** Photos made ready in this browser: the worker is a file of the app itself, as the policy for scripts asks. */
import { ownScript } from '#lib/browser/own-script.ts'
import { createPhotoReader } from './photo-reader.ts'
import type { PhotoJobs } from './photo-jobs.ts'
import worker from './photo-worker.ts?worker&url'

export const startPhotoJobs = (): PhotoJobs =>
  createPhotoReader({
    spawn: () =>
      typeof Worker === 'undefined' ? undefined : new Worker(ownScript(worker), { type: 'module' }),
    async load() {
      const [{ createPhotoJobs }, { browserImages }] = await Promise.all([
        import('./photo-jobs.ts'),
        import('./browser-images.ts'),
      ])
      return createPhotoJobs(browserImages)
    },
  })
