import { placeIn, takenIn } from '#schemas/resources/photo-name.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

/** The data of a photo that cards, thumbnails and the viewer need. */
export interface ShownPhoto {
  key: string
  name: string
  /** ISO 8601; empty if unknown. */
  takenAt: string
  /** `latitude,longitude`, or empty. */
  placeInfo: string
  /** True if time and place are only known from the file name. */
  isByName?: boolean
  /** Describes the state of the bytes; they are looked up again when it changes. */
  revision: string
  /** True if the photo is in the file store: bytes that are not on the device must be fetched. */
  isInFileStore: boolean
  /** True if the file store could not deliver the bytes. */
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
  // A photo that is only in the file store has no other information on its time and place (decisions/photos).
  takenAt: createDate || takenIn(name),
  placeInfo: placeInfo || placeIn(name),
  isByName: createDate === '',
  revision: `${size} ${bytesAsked}`,
  isInFileStore: fileSeq !== '' && bytesAsked !== 'failed',
  hasFailed: bytesAsked === 'failed',
})
