/** Decodes and encodes photos in a worker. Answers the messages of `photo-reader.ts`. */
import { browserImages } from './browser-images.ts'
import { createPhotoJobs } from './photo-jobs.ts'
import type { PhotoAnswer, PhotoCall } from './photo-reader.ts'
import { ReadTooLong, Unreadable } from './read-in-time.ts'

const jobs = createPhotoJobs(browserImages)

const answer = (message: PhotoAnswer, transfer: Transferable[] = []) =>
  globalThis.postMessage(message, { transfer })

addEventListener('message', ({ data }: MessageEvent<PhotoCall>) => {
  void run(data).catch((error: unknown) => answer({ id: data.id, kind: failureOf(error) }))
})

const failureOf = (error: unknown) =>
  error instanceof ReadTooLong ? 'late' : error instanceof Unreadable ? 'unreadable' : 'failed'

async function run({ id, file, ...job }: PhotoCall) {
  const result =
    job.kind === 'prepare'
      ? await jobs.prepare(file, job.options)
      : await (job.kind === 'glance' ? jobs.glance(file) : jobs.thumb(file, job.longEdge))
  const parts: unknown[] = [result, ...Object.values(Object(result))]
  answer(
    { id, kind: 'done', result },
    parts.filter((part) => part instanceof ArrayBuffer),
  )
}

/** False for example in old WebKit, whose OffscreenCanvas has no 2d context. */
function canDraw(): boolean {
  if (typeof OffscreenCanvas === 'undefined' || typeof createImageBitmap === 'undefined') return false
  return new OffscreenCanvas(1, 1).getContext('2d') !== null
}

// The worker reports at its start whether it can draw, because drawing in a worker can fail without an error.
answer({ id: '', kind: canDraw() ? 'able' : 'unable' })
