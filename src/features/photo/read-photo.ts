import { PHOTO_MAX_PIXELS, PHOTO_READ_MAX_MB, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { photoName, photoProblem, photoTypeOf, timestampFor } from '#schemas/resources/photo-name.ts'
import type { DraftPhoto } from '#schemas/device/form-draft.ts'
import type { PhotoOrigin } from '#data/photos/photo-bytes.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import { takenWhen } from '#lib/image/photo-facts.ts'
import { readInTime } from '#lib/image/read-in-time.ts'
import { fileStamp, toTokyoIso } from '#lib/time/tokyo-time.ts'

export type ReadPhoto =
  | {
      kind: 'photo'
      photo: DraftPhoto
      bytes: ArrayBuffer
      thumb: ArrayBuffer | undefined
      origin: PhotoOrigin
    }
  | { kind: 'problem'; problem: PhotoProblem }

/** Why a file is not accepted as a photo. `max`: megabytes for ec00016, pixels for `pixels`. */
export type PhotoProblem = { why: 'ec00015' | 'broken' } | { why: 'ec00016' | 'pixels'; max: number }

interface ReadOptions {
  jobs: () => Promise<PhotoJobs>
  key: string
  now: number
  maxMb: number
  readMs: number | undefined
  keepOriginal: boolean
  /** Called with the embedded thumbnail, if there is one, long before the photo has been read. */
  glanced: (thumb: ArrayBuffer) => void
}

const problem = (why: PhotoProblem): ReadPhoto => ({ kind: 'problem', problem: why })

/** Enough bytes to detect the file type. */
const HEAD_BYTES = 16

/**
 * Validates a picked file by its content and prepares it for storage, with time and place from its EXIF.
 * @throws ReadTooLong if the file cannot be read in time, Unreadable if it cannot be read
 */
export async function readPhoto(file: File, options: ReadOptions): Promise<ReadPhoto> {
  const { jobs, key, now, maxMb, readMs, keepOriginal, glanced } = options
  // Reads only the beginning first: a file above the size limit must not be read completely.
  const head = await readInTime(file.slice(0, HEAD_BYTES), readMs)
  const readMb = Math.max(maxMb, PHOTO_READ_MAX_MB)
  const found = photoProblem({ head, size: file.size }, readMb)
  if (found) return problem(found === 'ec00016' ? { why: found, max: readMb } : { why: found })
  const isTooLarge = (size: number) => photoProblem({ head, size }, maxMb) !== null
  const { glance, prepare } = await jobs()
  // Only a preview: its failure does not affect the photo.
  glance(file).then(
    (thumb) => thumb && glanced(thumb),
    () => undefined,
  )
  const prepared = await prepare(file, { keepOriginal, now })
  if (prepared.kind === 'refused') {
    const max = photoTypeOf(head) === 'image/png' ? PHOTO_WHOLE_MAX_PIXELS : PHOTO_MAX_PIXELS
    if (prepared.why !== 'pixels' && isTooLarge(file.size)) return problem({ why: 'ec00016', max: maxMb })
    return problem(prepared.why === 'pixels' ? { why: 'pixels', max } : { why: 'broken' })
  }
  const { bytes, thumb, exif } = prepared
  // The limit applies to the bytes that are sent; a photo that is scaled down is small (decisions/photos).
  if (isTooLarge(bytes.byteLength)) return problem({ why: 'ec00016', max: maxMb })
  const type = photoTypeOf(bytes)
  if (!type) return problem({ why: 'broken' })
  const taken = takenWhen(exif, file.lastModified, now)
  const exact = fileStamp(taken.ms)
  // A time of the device's clock has milliseconds and is unique enough; others are made unique by the key.
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
