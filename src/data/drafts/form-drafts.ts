import { Subject } from 'rxjs'
import { draftOf, dropDraft, storeValues, takeDraft, type DraftPlace } from './drafts.ts'
import type { Submitted } from './save-draft.ts'

/** The drafts of a user, with the interface that forms use (`src/form/form-drafts`). */
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
        // Input that arrives while a logout closes the database is ignored.
        if (!place.db.closed) throw error
      }),
    drop: (key: string) => dropDraft(place, key),
    take: (key: string) => takeDraft(place, key),
    submits(key: string, values: object, kept: Promise<unknown>) {
      const own = { key, values, kept }
      submitted.set(key, own)
      return () => void (submitted.get(key) === own && submitted.delete(key))
    },
    /** Returns the values that the form with this key is saving now. */
    submitted: (key: string) => submitted.get(key) ?? { key, values: {}, kept: Promise.resolve() },
    /** Must be called with each promise of photos that a form is reading. `taken` waits for these promises. */
    takes(photos: Promise<unknown>) {
      taking.add(photos)
      void photos.finally(() => taking.delete(photos))
    },
    /**
     * Waits until all photos that are being read are in their drafts, at most `longestMs`. Called before the database
     * closes.
     */
    async taken(longestMs: number): Promise<void> {
      if (taking.size === 0) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise((resolve) => (timer = setTimeout(resolve, longestMs)))
      await Promise.race([Promise.allSettled(taking), late])
      clearTimeout(timer)
    },
    watch(key: string, onReturned: () => void) {
      const subscription = returned$.subscribe((returned) => returned === key && onReturned())
      return () => subscription.unsubscribe()
    },
    /** Must be called after a save of this form was undone, so that its content is a draft again (undo-save). */
    returned: (key: string) => returned$.next(key),
  }
}

export type FormDraftStore = ReturnType<typeof createFormDrafts>
