/**
 * Removes a saved photo from the drafts that still name it, before the photo is deleted. An interrupted save
 * can leave it in a draft, and the next save of that form would bring it back, with or without its bytes
 * (sync RULES SV2).
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'

/** Called before the deletion: a crash in between leaves a saved photo that the form does not save again. */
export async function leaveDrafts({ drafts }: Database, photoKey: string): Promise<void> {
  const names = ({ photos }: Pick<FormDraft, 'photos'>) => photos.some(({ key }) => key === photoKey)
  for (const doc of (await drafts.find().exec()).filter(names))
    await doc.incrementalModify((draft) => ({
      ...draft,
      photos: draft.photos.filter(({ key }) => key !== photoKey),
    }))
}
