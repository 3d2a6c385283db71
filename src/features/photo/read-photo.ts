import { PHOTO_MAX_PIXELS, PHOTO_READ_MAX_MB, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { photoName, photoProblem, photoTypeOf, timestampFor } from '#schemas/resources/photo-name.ts'
import type { DraftPhoto } from '#schemas/device/form-draft.ts'
import type { PhotoOrigin } from '#data/photos/photo-bytes.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import { takenWhen } from '#lib/image/photo-facts.ts'
import { readInTime } from '#lib/image/read-in-time.ts'
import { fileStamp, toTokyoIso } from '#lib/time/tokyo-time.ts'

/** `ec00015`: wrong file type. `ec00016`: more than `max` MB. `pixels`: more than `max`. `broken`: no readable picture. */
export type PhotoProblem = { why: 'ec00015' | 'broken' } | { why: 'ec00016' | 'pixels'; max: number }

export type ReadPhoto = Awaited<ReturnType<typeof readPhoto>>

interface ReadOptions {
  jobs: () => Promise<PhotoJobs>
  key: string
  /** Epoch ms. */
  now: number
  /** Size limit of photos that are sent, in megabytes. */
  maxMb: number
  /** Time limit for reading the file in ms; undefined for the usual limit. */
  readMs: number | undefined
  keepOriginal: boolean
  /** Called with the thumbnail that is embedded in the file, before the whole photo is read. Not called without one. */
  onPreview: (thumb: ArrayBuffer) => void
}

const problem = (why: PhotoProblem) => ({ kind: 'problem' as const, problem: why })

/** Number of bytes at the beginning of a file that identify its type. */
const HEAD_BYTES = 16

/** Checks a picked file and prepares its bytes, with time and place from its EXIF. @throws ReadTooLong, Unreadable */
export async function readPhoto(file: File, options: ReadOptions) {
  const { key, now, maxMb, readMs } = options
  // A picked file may exceed the limit of sent photos, because the app scales the photo down before sending.
  const readMb = Math.max(maxMb, PHOTO_READ_MAX_MB)
  // A file above the size limit must not be read as a whole.
  const preparing = file.size > readMb * 1024 * 1024 ? null : prepared(file, options)
  const head = await readInTime(file.slice(0, HEAD_BYTES), readMs)
  const found = photoProblem({ head, size: file.size }, readMb)
  if (found === 'ec00015') return problem({ why: found })
  if (!preparing) return problem({ why: 'ec00016', max: readMb })
  const isTooLarge = (size: number) => photoProblem({ head, size }, maxMb) !== null
  const result = await preparing
  if (result.kind === 'refused') {
    const max = photoTypeOf(head) === 'image/png' ? PHOTO_WHOLE_MAX_PIXELS : PHOTO_MAX_PIXELS
    if (result.why === 'pixels') return problem({ why: 'pixels', max })
    return problem(isTooLarge(file.size) ? { why: 'ec00016', max: maxMb } : { why: 'broken' })
  }
  const { bytes, thumb, exif } = result
  // The size limit applies to the bytes to send. A large photo has far fewer after scaling down (decisions/photos).
  if (isTooLarge(bytes.byteLength)) return problem({ why: 'ec00016', max: maxMb })
  const type = photoTypeOf(bytes)
  if (!type) return problem({ why: 'broken' })
  const taken = takenWhen(exif, file.lastModified, now)
  const exact = fileStamp(taken.ms)
  // File names must be unique. A time of the clock has milliseconds; one of EXIF or the file gets a part of the key.
  const stamp = taken.from === 'clock' ? exact : timestampFor(file.name, exact, key)
  const photo: DraftPhoto = {
    key,
    name: photoName(file.name, stamp, type),
    placeInfo: exif.place,
    takenAt: toTokyoIso(taken.ms),
    size: bytes.byteLength,
    type,
  }
  const origin: PhotoOrigin = { taken: taken.from, place: exif.place === '' ? 'device' : 'exif' }
  return { kind: 'photo' as const, photo, bytes, thumb, origin }
}

/** Gives the file to the worker before the page draws its card. An error is reported only to who awaits the result. */
function prepared(file: File, { jobs, onPreview, keepOriginal, now }: ReadOptions) {
  const preparing = jobs().then(({ glance, prepare }) => {
    glance(file).then(
      (thumb) => thumb && onPreview(thumb),
      () => undefined,
    )
    return prepare(file, { keepOriginal, now })
  })
  preparing.catch(() => undefined)
  return preparing
}
