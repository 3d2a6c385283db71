import { PHOTO_MAX_PIXELS } from '#schemas/limits.ts'
import { photoName, photoProblem, photoTypeOf, timestampFor } from '#schemas/photo-name.ts'
import type { DraftPhoto } from '#schemas/form-draft.ts'
import type { PhotoOrigin } from '#data/photo-bytes-tables.ts'
import type { PhotoJobs } from '#lib/photo-jobs.ts'
import { takenWhen } from '#lib/photo-facts.ts'
import { readInTime } from '#lib/read-in-time.ts'
import { fileStamp, toTokyoIso } from '#lib/tokyo-time.ts'

export type ReadPhoto =
  | {
      kind: 'photo'
      photo: DraftPhoto
      bytes: ArrayBuffer
      thumb: ArrayBuffer | undefined
      origin: PhotoOrigin
    }
  | { kind: 'problem'; key: 'ec00015' | 'ec00016' | 'pixels' }

interface ReadOptions {
  jobs: () => Promise<PhotoJobs>
  key: string
  now: number
  maxMb: number
  readMs: number | undefined
  keepOriginal: boolean
  /** Told of the small picture that is in the file, where there is one, long before the photo itself is read. */
  glanced: (thumb: ArrayBuffer) => void
}

/** Enough to tell what a file is. */
const HEAD_BYTES = 16

/**
 * A file that was picked, judged by its content and made ready to be kept: with the time and place that its EXIF says.
 * @throws ReadTooLong where the file cannot be had in time
 */
export async function readPhoto(file: File, options: ReadOptions): Promise<ReadPhoto> {
  const { jobs, key, now, maxMb, readMs, keepOriginal, glanced } = options
  // what is too big is not read whole
  const isTooBig = file.size > maxMb * 1024 * 1024
  const head = await readInTime(file.slice(0, HEAD_BYTES), readMs)
  const problem = photoProblem({ name: file.name, bytes: head }, maxMb) ?? (isTooBig ? 'ec00016' : null)
  if (problem) return { kind: 'problem', key: problem }
  const { glance, prepare } = await jobs()
  // only to be looked at: whatever becomes of it, the photo is read
  glance(file).then(
    (thumb) => thumb && glanced(thumb),
    () => undefined,
  )
  const prepared = await prepare(file, { keepOriginal, maxPixels: PHOTO_MAX_PIXELS, now })
  if (prepared.kind === 'refused')
    return { kind: 'problem', key: prepared.why === 'pixels' ? 'pixels' : 'ec00015' }
  const { bytes, thumb, exif } = prepared
  const type = photoTypeOf(bytes)
  if (!type) return { kind: 'problem', key: 'ec00015' }
  const taken = takenWhen(exif, file.lastModified, now)
  const exact = fileStamp(taken.ms)
  // this device's clock tells milliseconds
  const stamp = taken.from === 'clock' ? exact : timestampFor(file.name, exact, key)
  const photo = {
    key,
    name: photoName(file.name, stamp, type),
    placeInfo: exif.place,
    takenAt: toTokyoIso(taken.ms),
    size: bytes.byteLength,
    type,
  }
  const origin = { taken: taken.from, place: exif.place === '' ? 'device' : 'exif' } as const
  return { kind: 'photo', photo, bytes, thumb, origin }
}
