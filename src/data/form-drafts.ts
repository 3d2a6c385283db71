import { draftOf, dropDraft, keepValues, takeDraft, type DraftPlace } from './drafts.ts'

/** The drafts of a user's database, as forms use them (`src/form/form-drafts`). */
export const createFormDrafts = (place: DraftPlace) => ({
  async read(key: string) {
    const draft = await draftOf(place.db, key)
    if (!draft) return null
    const values: unknown = draft.values === '' ? null : JSON.parse(draft.values)
    return { values, hasPhotos: draft.photos.length > 0 || draft.unwanted.length > 0 }
  },
  keep: (key: string, values: object) => keepValues(place.db, key, values),
  drop: (key: string) => dropDraft(place, key),
  take: (key: string) => takeDraft(place, key),
})

export type FormDraftStore = ReturnType<typeof createFormDrafts>
