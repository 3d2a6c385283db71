/** Removes a photo from drafts before it is deleted. */
import type { Database } from '#data/database/database.ts'

/**
 * Removes a saved photo from the drafts that still name it. An interrupted save can leave it in a draft, and the next
 * save of that form would bring it back, with or without its bytes (sync RULES SV2). Called before the photo is
 * deleted: a crash in between leaves a saved photo that the form does not save again.
 */
export async function leaveDrafts({ drafts }: Database, photoKey: string): Promise<void> {
  const isThePhoto = ({ key }: { key: string }) => key === photoKey
  for (const doc of (await drafts.find().exec()).filter(({ photos }) => photos.some(isThePhoto)))
    await doc.incrementalModify((draft) => ({
      ...draft,
      photos: draft.photos.filter((photo) => !isThePhoto(photo)),
    }))
}
