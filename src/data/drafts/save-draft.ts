/**
 * The save of a form:
 *
 *     mark the draft ─ the record's change ─ photos, deletions ─ the draft goes ─ 保存しました
 *
 * The mark is the stamp that the first of these will have, with the values that are saved: it tells whether a save that was
 * cut short had begun. The record comes before its photos because the lane of photos gives up a photo whose record the device
 * does not have; while the record is not in the CRM yet, it makes the photo wait (RULES OR2). The draft goes last because
 * until then it is what says where the photos belong: a crash before the record leaves a draft that the form opens with;
 * a crash after it leaves a mark and its change, and `settleDrafts` ends the save at the next start. Ending it twice changes
 * nothing: a photo keeps the key that its bytes have lain under since it was taken.
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { NotingSaver, Saver } from '#data/changes/changes.ts'
import type { Database } from '#data/database/database.ts'
import { blank, change } from './draft-rows.ts'
import { draftOf, type DraftPlace } from './drafts.ts'
import { deletePhoto, savePhotos } from '#data/photos/photo-changes.ts'
import { waitingUploads } from '#data/photos/photos.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { readStored } from '#data/storage/read-stored.ts'
import { wish } from '#data/fetch-requests/wishes.ts'

/** What stands in a form that is being saved. */
export interface Submitted {
  /** Of its draft. */
  key: string
  values: object
  /** Settles once what was typed before is written, or cannot be. */
  kept: Promise<unknown>
}

export type DraftTarget = Pick<FormDraft, 'resource' | 'recordKey' | 'requestId' | 'workingDate'>

/**
 * The save of a form, in the order above.
 * @param form what is saved; what was typed before is written first
 * @param wanted the record that is made or changed, for its photos; null where the form has none
 * @param write adds the change of the record of this key
 */
export async function saveDraft<T>(
  saver: NotingSaver & DraftPlace,
  form: Submitted,
  wanted: DraftTarget | null,
  write: (recordKey: string) => Promise<T>,
): Promise<T> {
  await form.kept
  const { key } = form
  const target = wanted && (await madeAlready(saver.db, key, wanted))
  const waiting = target ? await waitingUploads(saver.db, target, saver.clock.now() - EXPIRY_MS) : []
  const saved = JSON.stringify(form.values)
  await change(saver.db, key, (draft) => ({
    ...draft,
    ...target,
    values: saved,
    saved,
    saving: saver.first,
  }))
  const result = await write(target?.recordKey ?? '')
  await settle(saver, { ...NO_TARGET, ...target, key, saved })
  // a photo that waits for its record is as old as its own save, and goes with this one (sync RULES EX2)
  for (const item of waiting) await wish(saver.db, item, 'resend')
  return result
}

const NO_TARGET: DraftTarget = { resource: '', recordKey: '', requestId: '', workingDate: '' }

/**
 * A save that failed half-way has made its record: the next one of its draft is of that record, also where the form was left
 * and opened anew, and would make another (sync RULES SV2).
 */
async function madeAlready(db: Database, key: string, wanted: DraftTarget): Promise<DraftTarget> {
  const draft = await draftOf(db, key)
  if (!draft || draft.saving === '' || draft.resource !== wanted.resource) return wanted
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
  const cut = (await saver.db.drafts.find().exec()).filter(({ saving }) => saving !== '')
  for (const doc of cut) await settleCut(saver, doc.toMutableJSON()).catch(failed)
}

async function settleCut(saver: Saver & DraftPlace, draft: FormDraft): Promise<void> {
  if (await isOnDevice(saver.db, draft.saving)) return settle(saver, draft)
  await unmark(saver.db, draft.key)
}

const unmark = (db: Database, key: string) =>
  change(db, key, (latest) => ({ ...latest, saving: '', saved: '' }))

/** Something of this stamp was saved. */
async function isOnDevice(db: Database, stamp: string): Promise<boolean> {
  const selector = { stamp }
  const [changes, photos] = await Promise.all([
    readStored(db.changes, { selector }),
    db.photos.find({ selector }).exec(),
  ])
  return changes.length + photos.length > 0
}

/** By its own mark: another tab with the same form may have set that of the draft back. */
async function settle(
  saver: Saver & DraftPlace,
  { key, saved, resource, recordKey, requestId, workingDate }: DraftTarget & Pick<FormDraft, 'key' | 'saved'>,
): Promise<void> {
  const draft = await draftOf(saver.db, key)
  if (!draft) return
  const target = { resource, recordKey, requestId, workingDate }
  if (resource !== '' && !(await hasRecord(saver.db, target))) return unmark(saver.db, key)
  // one that was saved before a crash and given up since has no bytes any more
  const taken = new Set(await saver.bytes.keys(Infinity))
  await savePhotos(
    saver,
    draft.photos.filter(({ key: photoKey }) => taken.has(photoKey)).map((photo) => ({ ...photo, ...target })),
  )
  for (const photoKey of draft.unwanted) await deletePhoto(saver, photoKey)
  const doc = await saver.db.drafts.findOne(key).exec()
  await doc?.incrementalModify((latest) => {
    // what was taken and typed meanwhile stays
    const photos = latest.photos.filter((photo) => draft.photos.every((each) => each.key !== photo.key))
    const unwanted = latest.unwanted.filter((each) => !draft.unwanted.includes(each))
    const values = latest.values === saved ? '' : latest.values
    const isOver = photos.length + unwanted.length === 0 && values === ''
    return isOver ? { ...latest, _deleted: true } : { ...latest, ...blank(key), photos, unwanted, values }
  })
}

async function hasRecord(db: Database, { resource, recordKey }: DraftTarget): Promise<boolean> {
  return isPushCollection(resource) && (await viewOf(db, resource, recordKey)) !== null
}
