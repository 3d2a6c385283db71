import type { Database } from '#data/database/database.ts'

/**
 * Removes a saved photo from drafts that still contain it after an interrupted save. Otherwise the next save of the
 * form would restore the photo (sync RULES SV2). Must be called before the photo is deleted.
 */
export async function leaveDrafts({ drafts }: Database, photoKey: string): Promise<void> {
  const isThePhoto = ({ key }: { key: string }) => key === photoKey
  for (const doc of (await drafts.find().exec()).filter(({ photos }) => photos.some(isThePhoto)))
    await doc.incrementalModify((draft) => ({
      ...draft,
      photos: draft.photos.filter((photo) => !isThePhoto(photo)),
    }))
}
