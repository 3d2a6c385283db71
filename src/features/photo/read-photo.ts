import { photoName, photoProblem, photoTypeOf } from '#schemas/photo-name.ts'
import type { DraftPhoto } from '#schemas/form-draft.ts'
import { browserImages, preparePhoto, type PreparedPhoto } from '#lib/image.ts'
import { fileStamp, toTokyoIso } from '#lib/tokyo-time.ts'

export type ReadPhoto =
  | { kind: 'photo'; photo: DraftPhoto; prepared: PreparedPhoto }
  | { kind: 'problem'; key: 'ec00015' | 'ec00016' }

interface ReadOptions {
  key: string
  now: number
  maxMb: number
  keepOriginal: boolean
}

/** Enough to tell what a file is. */
const HEAD_BYTES = 16

/** A file that was picked, judged by its content and made ready to be kept. */
export async function readPhoto(file: File, options: ReadOptions): Promise<ReadPhoto> {
  const { key, now, maxMb, keepOriginal } = options
  // what is too big is not read whole
  const isTooBig = file.size > maxMb * 1024 * 1024
  const original = await (isTooBig ? file.slice(0, HEAD_BYTES) : file).arrayBuffer()
  const problem = photoProblem({ name: file.name, bytes: original }, maxMb) ?? (isTooBig ? 'ec00016' : null)
  if (problem) return { kind: 'problem', key: problem }
  const prepared = await preparePhoto(original, browserImages, keepOriginal)
  const type = photoTypeOf(prepared.bytes)
  if (!type) return { kind: 'problem', key: 'ec00015' }
  // one from the library was taken earlier
  const takenMs = file.lastModified > 0 ? Math.min(file.lastModified, now) : now
  const photo = {
    key,
    name: photoName(file.name, fileStamp(takenMs), type),
    placeInfo: '',
    takenAt: toTokyoIso(takenMs),
    size: prepared.bytes.byteLength,
    type,
  }
  return { kind: 'photo', photo, prepared }
}
