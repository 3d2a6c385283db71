import { Subject } from 'rxjs'
import { draftOf, dropDraft, storeValues, takeDraft, type DraftPlace } from './drafts.ts'
import type { Submitted } from './save-draft.ts'

/** The drafts of a user's database, as forms use them (`src/form/form-drafts`). */
export function createFormDrafts(place: DraftPlace) {
  const submitted = new Map<string, Submitted>()
  const taking = new Set<Promise<unknown>>()
  const returned$ = new Subject<string>()
  return {
    async read(key: string) {
      const draft = await draftOf(place.db, key)
      if (!draft) return null
      const values: unknown = draft.values === '' ? null : JSON.parse(draft.values)
      return { values, hasPhotos: draft.photos.length > 0 || draft.unwanted.length > 0 }
    },
    keep: (key: string, values: object) =>
      storeValues(place.db, key, values).catch((error: unknown) => {
        // typed while the database closed (logout): the device is not to blame
        if (!place.db.closed) throw error
      }),
    drop: (key: string) => dropDraft(place, key),
    take: (key: string) => takeDraft(place, key),
    submits(key: string, values: object, kept: Promise<unknown>) {
      const own = { key, values, kept }
      submitted.set(key, own)
      return () => void (submitted.get(key) === own && submitted.delete(key))
    },
    /** What stands in a form of this key that is being saved. */
    submitted: (key: string) => submitted.get(key) ?? { key, values: {}, kept: Promise.resolve() },
    /** Photos are being read for a form. */
    takes(photos: Promise<unknown>) {
      taking.add(photos)
      // what nobody else catches stays uncaught, and is said (watch-errors)
      void photos.finally(() => taking.delete(photos))
    },
    /** Resolves once they are in their drafts; whoever closes the data waits for it, so long at the most. */
    async taken(longestMs: number): Promise<void> {
      if (taking.size === 0) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise((resolve) => (timer = setTimeout(resolve, longestMs)))
      await Promise.race([Promise.allSettled(taking), late])
      clearTimeout(timer)
    },
    watch(key: string, told: () => void) {
      const watched = returned$.subscribe((returned) => returned === key && told())
      return () => watched.unsubscribe()
    },
    /** What was saved from this form is a draft again (undo-save). */
    returned: (key: string) => returned$.next(key),
  }
}

export type FormDraftStore = ReturnType<typeof createFormDrafts>
