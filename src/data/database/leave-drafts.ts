import type { Database } from '#data/database/database.ts'

/** Removes a saved photo from drafts, whose next save would restore it (SV2). Call it before the photo is deleted. */
export async function leaveDrafts({ drafts }: Database, photoKey: string): Promise<void> {
  const isThePhoto = ({ key }: { key: string }) => key === photoKey
  for (const doc of (await drafts.find().exec()).filter(({ photos }) => photos.some(isThePhoto)))
    await doc.incrementalModify((draft) => ({
      ...draft,
      photos: draft.photos.filter((photo) => !isThePhoto(photo)),
    }))
}
