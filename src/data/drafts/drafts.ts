/**
 * Drafts of forms: typed text and photos, stored until the form is saved or the draft is dropped. The bytes of a photo
 * are stored before the photo is added to the draft, and deleted after the photo is removed from it.
 */
import { map, type Observable, Subject } from 'rxjs'
import { uniquePhotoName } from '#schemas/resources/photo-name.ts'
import type { DraftPhoto, FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { blank, changeDraft, known, plain, remember, usedPhotoKeys } from './draft-rows.ts'
import type { PhotoOrigin, PhotoBytesTable } from '#data/photos/photo-bytes.ts'

export type DraftPlace = { db: Database; bytes: PhotoBytesTable }

export interface Submitted {
  key: string
  values: object
  /** Settles when the form's last write of its draft has succeeded or failed. The save waits for it. */
  kept: Promise<unknown>
}

/** Emits the draft of a form; an empty draft if there is none. */
export const draft$ = (db: Database, key: string): Observable<FormDraft> =>
  db.drafts.findOne(key).$.pipe(map((doc) => doc?.toMutableJSON() ?? blank(key)))

/** Returns the draft of a form; null if there is none. */
export async function draftOf(db: Database, key: string): Promise<FormDraft | null> {
  const doc = await db.drafts.findOne(key).exec()
  if (doc) remember(db, doc)
  return doc?.toMutableJSON() ?? null
}

export const storeValues = (db: Database, key: string, values: object): Promise<void> =>
  changeDraft(db, key, (draft) => ({ ...draft, values: JSON.stringify(values) }))

/** Writes the whole draft of a form. The bytes of its photos must be stored already. */
export const putDraft = (
  db: Database,
  { key, values }: { key: string; values: object },
  parts: Pick<FormDraft, 'photos' | 'unwanted'>,
): Promise<void> =>
  changeDraft(db, key, (draft) => ({ ...draft, ...blank(key), ...parts, values: JSON.stringify(values) }))

interface DraftPosition {
  /** Key of the photo after which the new photo is inserted; at the end by default. */
  after?: string
  instead?: readonly string[]
  /** Keys of saved photos that the new one replaces. One write marks them for deletion: a crash never leaves both. */
  unwanted?: readonly string[]
}

/** Adds a photo to a draft. Resolves once the bytes are on disk and the draft contains the photo. */
export async function addDraftPhoto(
  place: DraftPlace,
  key: string,
  photo: DraftPhoto,
  { bytes, thumb, origin }: { bytes: ArrayBuffer; thumb: ArrayBuffer | undefined; origin?: PhotoOrigin },
  { after, instead = [], unwanted = [] }: DraftPosition = {},
): Promise<void> {
  await place.bytes.put(photo.key, bytes, { thumb, ...(origin && { origin }) })
  for (const each of unwanted) await leaveDrafts(place.db, each)
  await changeDraft(place.db, key, (draft) => {
    const others = draft.photos.filter((each) => !instead.includes(each.key))
    const name = uniquePhotoName(
      photo.name,
      others.map((each) => each.name),
    )
    const index = others.findIndex((each) => each.key === after)
    const photos = others.toSpliced(index < 0 ? others.length : index + 1, 0, { ...photo, name })
    return { ...draft, photos, unwanted: [...new Set([...draft.unwanted, ...unwanted])] }
  })
  await forgetPhotos(place, instead)
}

/** Adds the position (`latitude,longitude`) to a photo in a draft, or to the saved photo if it was saved meanwhile. */
export async function placePhoto(db: Database, key: string, photoKey: string, placeInfo: string) {
  const placed = (photo: DraftPhoto) => (photo.key === photoKey ? { ...photo, placeInfo } : photo)
  const doc = await db.drafts.findOne(key).exec()
  await doc?.incrementalModify((draft) => ({ ...draft, photos: draft.photos.map(placed) }))
  const saved = await db.photos.findOne(photoKey).exec()
  await saved?.incrementalPatch({ placeInfo })
}

/** Removes a photo from a draft; null if it was already removed. Its bytes stay until the offer to undo ends. */
export async function removeDraftPhoto(place: DraftPlace, key: string, photoKey: string) {
  const { db } = place
  if (!(await draftOf(db, key))) return null
  const without = (photos: readonly DraftPhoto[]) => photos.filter((each) => each.key !== photoKey)
  let before: readonly DraftPhoto[] = []
  await changeDraft(db, key, (draft) => {
    before = draft.photos
    return { ...draft, photos: without(draft.photos) }
  })
  const index = before.findIndex((each) => each.key === photoKey)
  const photo = before[index]
  if (!photo) return null
  const restored = (latest: readonly DraftPhoto[]) => without(latest).toSpliced(index, 0, photo)
  return undoOffer(
    () => changeDraft(db, key, (draft) => ({ ...draft, photos: restored(draft.photos) })),
    () => forgetPhotos(place, [photoKey]),
  )
}

async function forgetPhotos({ db, bytes }: DraftPlace, keys: readonly string[]): Promise<void> {
  const usedKeys = await usedPhotoKeys(db, keys)
  for (const key of keys) if (!usedKeys.has(key)) await bytes.remove(key)
}

/** Marks a saved photo for deletion by the form's next save; null if it was already marked. */
export async function markUnwanted(db: Database, key: string, photoKey: string): Promise<UndoOffer | null> {
  const without = ({ unwanted }: FormDraft) => unwanted.filter((each) => each !== photoKey)
  await leaveDrafts(db, photoKey)
  let before: readonly string[] = []
  await changeDraft(db, key, (draft) => {
    before = draft.unwanted
    return { ...draft, unwanted: [...without(draft), photoKey] }
  })
  if (before.includes(photoKey)) return null
  return undoOffer(() => changeDraft(db, key, (draft) => ({ ...draft, unwanted: without(draft) })))
}

/** Deletes a draft, with the bytes of photos that nothing else uses. */
export const dropDraft = async (place: DraftPlace, key: string): Promise<void> =>
  (await takeDraft(place, key))?.forget()

/** Deletes a draft; null if there is none. Its bytes stay until the offer to undo ends. */
export async function takeDraft(place: DraftPlace, key: string): Promise<UndoOffer | null> {
  const { db } = place
  const doc = known(db, key) ?? (await db.drafts.findOne(key).exec())
  if (!doc) return null
  // RxDB calls the function again after a conflict. Its last call sees the draft that is deleted.
  const seen: (FormDraft | null)[] = []
  await doc.incrementalModify((latest) => {
    seen.push(latest._deleted ? null : plain(latest))
    return { ...latest, _deleted: true }
  })
  const draft = seen.at(-1)
  if (!draft) return null
  const photoKeys = draft.photos.map((photo) => photo.key)
  return undoOffer(
    // The undo replaces text that was typed meanwhile, and adds photos that were taken meanwhile.
    () => changeDraft(db, key, (latest) => ({ ...draft, photos: [...draft.photos, ...latest.photos] })),
    () => forgetPhotos(place, photoKeys),
  )
}

/** Offer to undo (元に戻す) a deletion, for a limited time. */
export interface UndoOffer {
  /** Undoes the deletion. `tooLate`: some items were never deleted, because they were already being sent. */
  back(): Promise<'back' | 'tooLate'>
  /** Must be called when the offer ends. Deletes the bytes that were kept for the undo. */
  forget(): Promise<void>
}

const undoOffer = (undo: () => Promise<void>, forget = async (): Promise<void> => undefined): UndoOffer => ({
  async back() {
    await undo()
    return 'back'
  },
  forget,
})

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
    /** Tells which values a form is saving now. The returned function must be called when the save has ended. */
    submits(key: string, values: object, kept: Promise<unknown>) {
      const own = { key, values, kept }
      submitted.set(key, own)
      return () => void (submitted.get(key) === own && submitted.delete(key))
    },
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
