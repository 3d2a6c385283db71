import { placeIn, takenIn } from '#schemas/photo-name.ts'
import type { PhotoRecord } from '#schemas/photo.ts'

/** What a card, a thumbnail or the viewer needs to know of a photo. */
export interface ShownPhoto {
  key: string
  name: string
  /** ISO 8601; empty where nobody knows. */
  takenAt: string
  /** `latitude,longitude`, or empty. */
  placeInfo: string
  /** Only its name says when it was taken, and where. */
  isByName?: boolean
  /** What is known of its bytes: they are looked for again when that changes. */
  revision: string
  /** Its bytes may lie in the file store only: they have to be asked for. */
  isAway: boolean
  /** The file store could not give its bytes. */
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
  // of a photo that lies in the file store nothing else is known (decisions/photos)
  takenAt: createDate || takenIn(name),
  placeInfo: placeInfo || placeIn(name),
  isByName: createDate === '',
  revision: `${size} ${bytesAsked}`,
  isAway: fileSeq !== '' && bytesAsked !== 'failed',
  hasFailed: bytesAsked === 'failed',
})
