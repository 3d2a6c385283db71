/**
 * A photo that was saved and is given up leaves the drafts that still name it: a save that was cut short has left it there,
 * and the next one would bring it back, with its bytes or without (sync RULES SV2).
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'

/** Before it is given up: a crash in between leaves a photo that is saved, and that the form does not save again. */
export async function leaveDrafts({ drafts }: Pick<Database, 'drafts'>, photoKey: string): Promise<void> {
  const names = ({ photos }: Pick<FormDraft, 'photos'>) => photos.some(({ key }) => key === photoKey)
  for (const doc of (await drafts.find().exec()).filter(names))
    await doc.incrementalModify((draft) => ({
      ...draft,
      photos: draft.photos.filter(({ key }) => key !== photoKey),
    }))
}
