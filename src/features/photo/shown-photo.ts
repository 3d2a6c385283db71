import { placeIn, takenIn } from '#schemas/resources/photo-name.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

/** A photo as cards, thumbnails and the viewer need it. */
export interface ShownPhoto {
  key: string
  name: string
  /** ISO 8601; empty if unknown. */
  takenAt: string
  /** `latitude,longitude`, or empty. */
  placeInfo: string
  /** True if time and place come from the file name, because nothing else is known about them. */
  isByName?: boolean
  /** Changes when the photo's bytes may have changed, which then are read again. */
  revision: string
  /** True if the file store can deliver bytes that are not on the device. */
  isInFileStore: boolean
  /** True if the file store could not deliver the bytes. */
  hasFailed: boolean
}

/** Returns a photo's record as a ShownPhoto. */
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
  // The file store gives nothing but a name, from which time and place are then read (decisions/photos).
  takenAt: createDate || takenIn(name),
  placeInfo: placeInfo || placeIn(name),
  isByName: createDate === '',
  revision: `${size} ${bytesAsked}`,
  isInFileStore: fileSeq !== '' && bytesAsked !== 'failed',
  hasFailed: bytesAsked === 'failed',
})
