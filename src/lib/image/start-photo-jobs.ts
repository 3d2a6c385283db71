/** Creates the photo jobs for this browser. The worker is a file of the app, as the script policy requires. */
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
