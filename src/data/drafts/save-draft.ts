/**
 * Saves a form:
 *
 *     mark the draft ─ write the record's change ─ photos, deletions ─ drop the draft ─ 保存しました
 *
 * - The mark contains the saved values, and the stamp that the first write of the save will have. After a crash, the
 *   next start looks for this stamp to know whether the save had begun.
 * - The record is written before its photos, because a photo without a record is refused. The photos are sent after the
 *   record (RULES OR2).
 * - The draft is dropped last, because it says to which record the photos belong. After a crash before the record is
 *   written, the form opens with the draft. After a later crash, `settleDrafts` completes the save at the next start.
 * - A save can be completed twice without harm, because each photo has a fixed key.
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { NotingSaver, Saver } from '#data/changes/changes.ts'
import type { Database } from '#data/database/database.ts'
import { blank, changeDraft } from './draft-rows.ts'
import { draftOf, type DraftPlace, type Submitted } from './drafts.ts'
import { deletePhoto, savePhotos, waitingUploads } from '#data/photos/photos.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { readStored } from '#data/storage/stored-docs.ts'
import { wish } from '#data/fetch-requests/wishes.ts'

export type DraftTarget = Pick<FormDraft, 'resource' | 'recordKey' | 'requestId' | 'workingDate'>

/** Saves a form as the file's header shows. @param wanted the record for the form's photos; null if it has none */
export async function saveDraft<T>(
  saver: NotingSaver & DraftPlace,
  form: Submitted,
  wanted: DraftTarget | null,
  write: (recordKey: string) => Promise<T>,
): Promise<T> {
  await form.kept
  const { key } = form
  const target = wanted && (await targetOf(saver.db, key, wanted))
  const expiring = target ? await waitingUploads(saver.db, target, saver.clock.now() - EXPIRY_MS) : []
  const saved = JSON.stringify(form.values)
  await changeDraft(saver.db, key, (draft) => ({
    ...draft,
    ...target,
    values: saved,
    saved,
    saving: saver.first,
  }))
  const result = await write(target?.recordKey ?? '')
  await settle(saver, { ...WITHOUT_RECORD, ...target, key, saved })
  // The save gives photos of the record that would expire another day, like the record (sync RULES EX2).
  for (const item of expiring) await wish(saver.db, item, 'resend')
  return result
}

const WITHOUT_RECORD: DraftTarget = { resource: '', recordKey: '', requestId: '', workingDate: '' }

/** Returns the record that an interrupted save of this draft has written, so that there is only one (RULES SV2). */
async function targetOf(db: Database, key: string, wanted: DraftTarget): Promise<DraftTarget> {
  const draft = await draftOf(db, key)
  if (!draft || draft.saving === '' || draft.resource !== wanted.resource) return wanted
  const existing = { ...wanted, recordKey: draft.recordKey }
  return (await hasRecord(db, existing)) ? existing : wanted
}

const rethrow = (error: unknown): never => {
  throw error
}

/**
 * Completes saves that a crash interrupted. Runs at start, before anything is sent.
 * @param failed called with each error; the next start or the form's next save repeats the failed save
 */
export async function settleDrafts(saver: Saver & DraftPlace, failed: (error: unknown) => void = rethrow) {
  const interrupted = (await saver.db.drafts.find().exec()).filter(({ saving }) => saving !== '')
  for (const doc of interrupted) await settleInterrupted(saver, doc.toMutableJSON()).catch(failed)
}

async function settleInterrupted(saver: Saver & DraftPlace, draft: FormDraft): Promise<void> {
  if (await isOnDevice(saver.db, draft.saving)) return settle(saver, draft)
  await unmark(saver.db, draft.key)
}

const unmark = (db: Database, key: string) =>
  changeDraft(db, key, (latest) => ({ ...latest, saving: '', saved: '' }))

async function isOnDevice(db: Database, stamp: string): Promise<boolean> {
  const selector = { stamp }
  const [changes, photos] = await Promise.all([
    readStored(db.changes, { selector }),
    db.photos.find({ selector }).exec(),
  ])
  return changes.length + photos.length > 0
}

/**
 * Saves the photos of the draft, and drops the draft. Input that came after the beginning of the save stays.
 * @param saved the saved values, which the draft lacks if another tab has saved the same form meanwhile
 */
async function settle(
  saver: Saver & DraftPlace,
  { key, saved, resource, recordKey, requestId, workingDate }: DraftTarget & Pick<FormDraft, 'key' | 'saved'>,
): Promise<void> {
  const draft = await draftOf(saver.db, key)
  if (!draft) return
  const target = { resource, recordKey, requestId, workingDate }
  if (resource !== '' && !(await hasRecord(saver.db, target))) return unmark(saver.db, key)
  // A photo without bytes is skipped, because it was saved before the crash and deleted after it.
  const storedKeys = new Set(await saver.bytes.keys(Infinity))
  await savePhotos(
    saver,
    draft.photos
      .filter(({ key: photoKey }) => storedKeys.has(photoKey))
      .map((photo) => ({ ...photo, ...target })),
  )
  for (const photoKey of draft.unwanted) await deletePhoto(saver, photoKey)
  const doc = await saver.db.drafts.findOne(key).exec()
  await doc?.incrementalModify((latest) => {
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
