/**
 * Drafts of forms: what is typed and the photos that are taken, kept until the form is saved or given up. The bytes of a
 * photo are put before the draft names it, and go after it does not; the sweep of bytes spares what a draft names.
 */
import { map, type Observable } from 'rxjs'
import { uniquePhotoName } from '#schemas/resources/photo-name.ts'
import type { DraftPhoto, FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'
import { blank, change, known, plain, remember } from './draft-rows.ts'
import type { PhotoOrigin } from '#data/photo-bytes/photo-bytes-tables.ts'
import type { PhotoBytesTable } from '#data/photo-bytes/photo-bytes.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import type { UndoOffer } from '#data/changes/undo-offer.ts'

/** Where drafts and their photos lie. */
export interface DraftPlace {
  db: Database
  bytes: PhotoBytesTable
}

export const draft$ = (db: Database, key: string): Observable<FormDraft> =>
  db.drafts.findOne(key).$.pipe(map((doc) => doc?.toMutableJSON() ?? blank(key)))

export async function draftOf(db: Database, key: string): Promise<FormDraft | null> {
  const doc = await db.drafts.findOne(key).exec()
  if (doc) remember(db, doc)
  return doc?.toMutableJSON() ?? null
}

/** What is typed, as it is now. */
export const storeValues = (db: Database, key: string, values: object): Promise<void> =>
  change(db, key, (draft) => ({ ...draft, values: JSON.stringify(values) }))

/** A draft anew, of values, photos whose bytes are there, and photos of the record that are to go. */
export const putDraft = (
  db: Database,
  { key, values }: { key: string; values: object },
  parts: Pick<FormDraft, 'photos' | 'unwanted'>,
): Promise<void> =>
  change(db, key, (draft) => ({ ...draft, ...blank(key), ...parts, values: JSON.stringify(values) }))

/** A photo that was taken: its bytes are on disk, and the draft names it, when this resolves. */
export async function addDraftPhoto(
  { db, bytes: table }: DraftPlace,
  key: string,
  photo: DraftPhoto,
  { bytes, thumb, origin }: { bytes: ArrayBuffer; thumb: ArrayBuffer | undefined; origin?: PhotoOrigin },
): Promise<void> {
  await table.put(photo.key, bytes, { thumb, ...(origin && { origin }) })
  await change(db, key, (draft) => {
    const name = uniquePhotoName(
      photo.name,
      draft.photos.map((each) => each.name),
    )
    return { ...draft, photos: [...draft.photos, { ...photo, name }] }
  })
}

/** Where a photo was taken, known a little later: in the draft, or of the photo that was saved meanwhile. */
export async function placePhoto(db: Database, key: string, photoKey: string, placeInfo: string) {
  const placed = (photo: DraftPhoto) => (photo.key === photoKey ? { ...photo, placeInfo } : photo)
  const doc = await db.drafts.findOne(key).exec()
  await doc?.incrementalModify((draft) => ({ ...draft, photos: draft.photos.map(placed) }))
  const saved = await db.photos.findOne(photoKey).exec()
  await saved?.incrementalPatch({ placeInfo })
}

/**
 * A photo that was taken is given up; its bytes are there until nobody wants it back.
 * @returns null where it has gone already: a second press has no way back of its own
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
  await change(db, key, (draft) => {
    before.push(draft.photos)
    return { ...draft, photos: without(draft.photos) }
  })
  const photos = before.at(-1) ?? []
  const at = photos.findIndex((each) => each.key === photoKey)
  const photo = photos[at]
  if (!photo) return null
  return {
    async back() {
      await change(db, key, (draft) => ({
        ...draft,
        photos: without(draft.photos).toSpliced(at, 0, photo),
      }))
      return 'back'
    },
    forget: () => forgetPhotos(place, [photoKey]),
  }
}

/** Nobody wants these photos back: their bytes go, but of one that was saved, or that a draft names again. */
async function forgetPhotos({ db, bytes }: DraftPlace, keys: readonly string[]): Promise<void> {
  // drafts first: a save makes the photo before it takes it out of the draft, so that one of the two has it
  const drafts = await db.drafts.find().exec()
  const saved = await db.photos.findByIds([...keys]).exec()
  const kept = new Set([...saved.keys(), ...drafts.flatMap((doc) => doc.photos.map((photo) => photo.key))])
  for (const key of keys) if (!kept.has(key)) await bytes.remove(key)
}

/**
 * A photo of the record is to go when the form is saved.
 * @returns null where it was to go already
 */
export async function markUnwanted(db: Database, key: string, photoKey: string): Promise<UndoOffer | null> {
  const without = ({ unwanted }: FormDraft) => unwanted.filter((each) => each !== photoKey)
  await leaveDrafts(db, photoKey)
  const before: string[][] = []
  await change(db, key, (draft) => {
    before.push(draft.unwanted)
    return { ...draft, unwanted: [...without(draft), photoKey] }
  })
  if (before.at(-1)?.includes(photoKey)) return null
  return {
    async back() {
      await change(db, key, (draft) => ({ ...draft, unwanted: without(draft) }))
      return 'back'
    },
    forget: async () => undefined,
  }
}

/** The draft goes, and the bytes that nothing but it names. */
export const dropDraft = async (place: DraftPlace, key: string): Promise<void> =>
  (await takeDraft(place, key))?.forget()

/** The draft goes; the bytes of its photos are there until nobody wants it back. Null where there is none (any more). */
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
  return {
    async back() {
      // what was typed meanwhile gives way, photos that were taken meanwhile stay
      await change(db, key, (latest) => ({ ...draft, photos: [...draft.photos, ...latest.photos] }))
      return 'back'
    },
    forget: () =>
      forgetPhotos(
        place,
        draft.photos.map((photo) => photo.key),
      ),
  }
}
