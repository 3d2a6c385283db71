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
    /**
     * Tells which values a form is saving now (`Submitted`).
     * @returns a function that must be called when the save has ended
     */
    submits(key: string, values: object, kept: Promise<unknown>) {
      const own = { key, values, kept }
      submitted.set(key, own)
      return () => void (submitted.get(key) === own && submitted.delete(key))
    },
    /** Returns the values that the form with this key is saving now. */
    submitted: (key: string) => submitted.get(key) ?? { key, values: {}, kept: Promise.resolve() },
    /** Must be called whenever a form starts to add photos, with a promise that settles once they are in the draft. */
    takes(photos: Promise<unknown>) {
      taking.add(photos)
      void photos.finally(() => taking.delete(photos))
    },
    /** Waits for the promises of `takes`, at most `longestMs`. Called before the database closes. */
    async taken(longestMs: number): Promise<void> {
      if (taking.size === 0) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise((resolve) => (timer = setTimeout(resolve, longestMs)))
      await Promise.race([Promise.allSettled(taking), late])
      clearTimeout(timer)
    },
    /** Calls `onReturned` whenever a save of this form was undone. @returns a function that ends this */
    watch(key: string, onReturned: () => void) {
      const subscription = returned$.subscribe((returned) => returned === key && onReturned())
      return () => subscription.unsubscribe()
    },
    /** Must be called when a save of this form was undone, so that its content is a draft again (undo-save). */
    returned: (key: string) => returned$.next(key),
  }
}

export type FormDraftStore = ReturnType<typeof createFormDrafts>
