/**
 * Drafts of forms: typed text and photos, stored until the form is saved or dropped. A photo's bytes are stored
 * before the draft names the photo, and deleted after the draft no longer names it. The sweep of bytes skips photos
 * that a draft names.
 */
import { map, type Observable } from 'rxjs'
import { uniquePhotoName } from '#schemas/resources/photo-name.ts'
import type { DraftPhoto, FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { blank, changeDraft, known, plain, remember, usedPhotoKeys } from './draft-rows.ts'
import type { PhotoOrigin, PhotoBytesTable } from '#data/photos/photo-bytes.ts'

/** The places of drafts and their photos: the user's database and the table of bytes. */
export interface DraftPlace {
  db: Database
  bytes: PhotoBytesTable
}

/** A form's draft, updated live; an empty draft if there is none. */
export const draft$ = (db: Database, key: string): Observable<FormDraft> =>
  db.drafts.findOne(key).$.pipe(map((doc) => doc?.toMutableJSON() ?? blank(key)))

/** A form's draft now; null if there is none. */
export async function draftOf(db: Database, key: string): Promise<FormDraft | null> {
  const doc = await db.drafts.findOne(key).exec()
  if (doc) remember(db, doc)
  return doc?.toMutableJSON() ?? null
}

export const storeValues = (db: Database, key: string, values: object): Promise<void> =>
  changeDraft(db, key, (draft) => ({ ...draft, values: JSON.stringify(values) }))

/** Writes a draft from values, photos whose bytes are stored already, and photos of the record to delete. */
export const putDraft = (
  db: Database,
  { key, values }: { key: string; values: object },
  parts: Pick<FormDraft, 'photos' | 'unwanted'>,
): Promise<void> =>
  changeDraft(db, key, (draft) => ({ ...draft, ...blank(key), ...parts, values: JSON.stringify(values) }))

interface DraftPosition {
  /** Key of the photo after which the new photo is placed. If the draft has no such photo, the new photo is the last one. */
  after?: string
  /** Keys of the draft's photos that the new photo replaces. */
  instead?: readonly string[]
  /**
   * Keys of saved photos that the new photo replaces. They are marked for deletion in the same write, so that a
   * crash never leaves both.
   */
  unwanted?: readonly string[]
}

/** Adds a photo to a draft. When this resolves, the bytes are on disk and the draft names the photo. */
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

/** Adds the position of a photo, which is found later than the photo: to the draft, or to the photo if saved by then. */
export async function placePhoto(db: Database, key: string, photoKey: string, placeInfo: string) {
  const placed = (photo: DraftPhoto) => (photo.key === photoKey ? { ...photo, placeInfo } : photo)
  const doc = await db.drafts.findOne(key).exec()
  await doc?.incrementalModify((draft) => ({ ...draft, photos: draft.photos.map(placed) }))
  const saved = await db.photos.findOne(photoKey).exec()
  await saved?.incrementalPatch({ placeInfo })
}

/**
 * Removes a photo from a draft. The photo's bytes stay until the undo offer ends.
 * @returns null if the photo was removed already: a second press offers no undo
 */
export async function removeDraftPhoto(
  place: DraftPlace,
  key: string,
  photoKey: string,
): Promise<UndoOffer | null> {
  const { db } = place
  if (!(await draftOf(db, key))) return null
  const without = (photos: readonly DraftPhoto[]) => photos.filter((each) => each.key !== photoKey)
  const before: DraftPhoto[][] = []
  await changeDraft(db, key, (draft) => {
    before.push(draft.photos)
    return { ...draft, photos: without(draft.photos) }
  })
  const photos = before.at(-1) ?? []
  const index = photos.findIndex((each) => each.key === photoKey)
  const photo = photos[index]
  if (!photo) return null
  const restored = (latest: readonly DraftPhoto[]) => without(latest).toSpliced(index, 0, photo)
  return undoOffer(
    () => changeDraft(db, key, (draft) => ({ ...draft, photos: restored(draft.photos) })),
    () => forgetPhotos(place, [photoKey]),
  )
}

/** Deletes the bytes of these photos, except photos that were saved or that a draft names again. */
async function forgetPhotos({ db, bytes }: DraftPlace, keys: readonly string[]): Promise<void> {
  const usedKeys = await usedPhotoKeys(db, keys)
  for (const key of keys) if (!usedKeys.has(key)) await bytes.remove(key)
}

/** Marks a photo of the record for deletion by the form's save; null if the photo was marked already. */
export async function markUnwanted(db: Database, key: string, photoKey: string): Promise<UndoOffer | null> {
  const without = ({ unwanted }: FormDraft) => unwanted.filter((each) => each !== photoKey)
  await leaveDrafts(db, photoKey)
  const before: string[][] = []
  await changeDraft(db, key, (draft) => {
    before.push(draft.unwanted)
    return { ...draft, unwanted: [...without(draft), photoKey] }
  })
  if (before.at(-1)?.includes(photoKey)) return null
  return undoOffer(() => changeDraft(db, key, (draft) => ({ ...draft, unwanted: without(draft) })))
}

/** Drops a draft, and the bytes of its photos that no other draft or saved photo uses. */
export const dropDraft = async (place: DraftPlace, key: string): Promise<void> =>
  (await takeDraft(place, key))?.forget()

/** Drops a draft; null if there is none. The bytes of the draft's photos stay until the undo offer ends. */
export async function takeDraft(place: DraftPlace, key: string): Promise<UndoOffer | null> {
  const { db } = place
  const doc = known(db, key) ?? (await db.drafts.findOne(key).exec())
  if (!doc) return null
  const before: (FormDraft | null)[] = []
  await doc.incrementalModify((latest) => {
    before.push(latest._deleted ? null : plain(latest))
    return { ...latest, _deleted: true }
  })
  const draft = before.at(-1)
  if (!draft) return null
  const photoKeys = draft.photos.map((photo) => photo.key)
  return undoOffer(
    // Text typed meanwhile is replaced; photos taken meanwhile stay.
    () => changeDraft(db, key, (latest) => ({ ...draft, photos: [...draft.photos, ...latest.photos] })),
    () => forgetPhotos(place, photoKeys),
  )
}

/** An undo (元に戻す) of a deletion that took effect at once. Offered for a limited time. */
export interface UndoOffer {
  /** Restores the deleted data. `tooLate` if some of it was already being sent, and therefore was never deleted. */
  back(): Promise<'back' | 'tooLate'>
  /** Called when the offer ends. Deletes the bytes that were preserved for the undo. */
  forget(): Promise<void>
}

const undoOffer = (undo: () => Promise<void>, forget = async (): Promise<void> => undefined): UndoOffer => ({
  async back() {
    await undo()
    return 'back'
  },
  forget,
})
