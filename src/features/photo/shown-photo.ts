import { placeIn, takenIn } from '#schemas/resources/photo-name.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

export interface ShownPhoto {
  key: string
  name: string
  /** ISO 8601; empty if unknown. */
  takenAt: string
  /** `latitude,longitude`, or empty. */
  placeInfo: string
  /** True if time and place are read from the file name, because the record has neither. */
  isByName?: boolean
  /** Changes when the photo's bytes may have changed, so that they are read again. */
  revision: string
  /** True if missing bytes can be fetched from the file store. */
  isInFileStore: boolean
  /** True if the last fetch from the file store failed. */
  hasFailed: boolean
}

export const shownPhoto = ({
  key,
  name,
  createDate,
  placeInfo,
  size,
  fileSeq,
  bytesAsked,
}: PhotoRecord): ShownPhoto => ({
  key,
  name,
  // A photo from the file store has only a name, so time and place are read from the name (decisions/photos).
  takenAt: createDate || takenIn(name),
  placeInfo: placeInfo || placeIn(name),
  isByName: createDate === '',
  revision: `${size} ${bytesAsked}`,
  isInFileStore: fileSeq !== '' && bytesAsked !== 'failed',
  hasFailed: bytesAsked === 'failed',
})
