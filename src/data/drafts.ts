/**
 * Drafts of forms: what is typed and the photos that are taken, kept until the form is saved or given up. The bytes of a
 * photo are put before the draft names it, and go after it does not; the sweep of bytes spares what a draft names.
 *
 * The save of a form with photos:
 *
 *     new    mark the draft: saving ─ the record's change ─────────────────┬─ photos, deletions ─ the draft goes
 *     edit                           the record's change ─ mark the draft ─┘
 *
 * A new record that is there tells that its change was written; of an edit the mark does, or photos would be added and deleted
 * for a change that was never saved. The record comes first because the lane of photos gives up a photo whose record the
 * device does not have; while the record is not in the CRM yet, it makes the photo wait (RULES OR2). The draft goes last
 * because until then it is what says where the photos belong: a crash before the record leaves a draft that the form opens
 * with; a crash after it leaves a mark and a record, and `settleDrafts` ends the save at the next start. Ending it twice
 * changes nothing: a photo keeps the key that its bytes have lain under since it was taken.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'
import { map, type Observable } from 'rxjs'
import { uniquePhotoName } from '#schemas/photo-name.ts'
import type { DraftPhoto, FormDraft } from '#schemas/form-draft.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import type { Saver } from './changes.ts'
import type { Database } from './database.ts'
import { blank, change, known, plain, remember } from './draft-rows.ts'
import type { PhotoOrigin } from './photo-bytes-tables.ts'
import type { PhotoBytesTable } from './photo-bytes.ts'
import { leaveDrafts } from './leave-drafts.ts'
import { deletePhoto, savePhotos } from './photo-changes.ts'
import { waitingUploads } from './photos.ts'
import { pushedCollection } from './pushed-collection.ts'
import type { WayBack } from './way-back.ts'
import { wish } from './wishes.ts'

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
export const keepValues = (db: Database, key: string, values: object): Promise<void> =>
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
): Promise<WayBack | null> {
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
export async function markUnwanted(db: Database, key: string, photoKey: string): Promise<WayBack | null> {
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
export async function takeDraft(place: DraftPlace, key: string): Promise<WayBack | null> {
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

export type DraftTarget = Pick<FormDraft, 'resource' | 'recordKey' | 'requestId' | 'workingDate'>

/**
 * The save of a form with photos, in the order above.
 * @param wanted the record that is made or changed
 * @param write adds the change of the record of this key
 */
export async function saveDraft<T>(
  saver: Saver & DraftPlace,
  key: string,
  wanted: DraftTarget,
  write: (recordKey: string) => Promise<T>,
): Promise<T> {
  const target = await madeAlready(saver.db, key, wanted)
  const saving = (await hasRecord(saver.db, target)) ? 'edit' : 'new'
  const waiting = await waitingUploads(saver.db, target, saver.clock.now() - EXPIRY_MS)
  const mark = () => change(saver.db, key, (draft) => ({ ...draft, ...target, saving }))
  if (saving === 'new') await mark()
  const result = await write(target.recordKey)
  if (saving === 'edit') await mark()
  await settle(saver, key, { ...target, saving })
  // a photo that waits for its record is as old as its own save, and goes with this one (sync RULES EX2)
  for (const item of waiting) await wish(saver.db, item, 'resend')
  return result
}

/**
 * A save that failed half-way has made its record: the next one of its draft is of that record, also where the form was left
 * and opened anew, and would make another (sync RULES SV2).
 */
async function madeAlready(db: Database, key: string, wanted: DraftTarget): Promise<DraftTarget> {
  const draft = await draftOf(db, key)
  if (!draft || draft.saving === 'no' || draft.resource !== wanted.resource) return wanted
  const made = { ...wanted, recordKey: draft.recordKey }
  return (await hasRecord(db, made)) ? made : wanted
}

const thrown = (error: unknown): never => {
  throw error
}

/**
 * Ends the saves that a crash cut short: at a start, before anything is sent.
 * @param failed told what the device did not take: the others are ended all the same, that one by the next start, or by the
 *   next save of its form
 */
export async function settleDrafts(
  saver: Saver & DraftPlace,
  failed: (error: unknown) => void = thrown,
): Promise<void> {
  const cut = (await saver.db.drafts.find().exec()).filter(({ saving }) => saving !== 'no')
  for (const doc of cut) await settle(saver, doc.key, doc.toMutableJSON()).catch(failed)
}

/** By its own mark: another tab with the same form may have set that of the draft back. */
async function settle(
  saver: Saver & DraftPlace,
  key: string,
  { resource, recordKey, requestId, workingDate, saving }: DraftTarget & Pick<FormDraft, 'saving'>,
): Promise<void> {
  const draft = await draftOf(saver.db, key)
  if (!draft) return
  const target = { resource, recordKey, requestId, workingDate }
  if (!(await hasRecord(saver.db, target)))
    return change(saver.db, key, (latest) => ({ ...latest, saving: 'no' }))
  // one that was saved before a crash and given up since has no bytes any more
  const taken = new Set(await saver.bytes.keys(Infinity))
  await savePhotos(
    saver,
    draft.photos.filter(({ key: photoKey }) => taken.has(photoKey)).map((photo) => ({ ...photo, ...target })),
  )
  for (const photoKey of draft.unwanted) await deletePhoto(saver, photoKey)
  const doc = await saver.db.drafts.findOne(key).exec()
  await doc?.incrementalModify((latest) => {
    // what was added meanwhile stays
    const photos = latest.photos.filter((photo) => draft.photos.every((each) => each.key !== photo.key))
    const unwanted = latest.unwanted.filter((each) => !draft.unwanted.includes(each))
    const rest = { photos, unwanted, saving: 'no' as const }
    // what was typed of an edit stays, the form compares it
    if (saving === 'edit') return { ...latest, ...rest }
    const isOver = photos.length + unwanted.length === 0
    return isOver ? { ...latest, _deleted: true } : { ...latest, ...blank(key), ...rest }
  })
}

async function hasRecord(db: Database, { resource, recordKey }: DraftTarget): Promise<boolean> {
  const name = pushCollections.find((each) => each === resource)
  return name !== undefined && (await pushedCollection(db, name).findOne(recordKey).exec()) !== null
}
