/** Writes the drafts of forms. Each write contains the whole draft. */
import type { RxDocument } from 'rxdb/plugins/core'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { pickSameKeys } from '#schemas/changes/change-queue.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import type { Database } from '#data/database/database.ts'

export const blank = (key: string): FormDraft => ({
  key,
  values: '',
  photos: [],
  unwanted: [],
  saving: '',
  saved: '',
  resource: '',
  recordKey: '',
  requestId: '',
  workingDate: '',
})

/** Returns the draft without the fields that RxDB and the collection add. */
export const plain = (stored: FormDraft): FormDraft =>
  pickSameKeys(stored, blank(stored.key)) as object as FormDraft

/** Drafts that this tab has read or written, so that it can write them without reading first. */
const remembered = new WeakMap<Database, Map<string, RxDocument<FormDraft>>>()

export const remember = (db: Database, draft: RxDocument<FormDraft>) =>
  void remembered.set(db, new Map(remembered.get(db)).set(draft.key, draft))

/** Returns a draft that this tab has read or written; null if it is unknown or deleted. */
export function known(db: Database, key: string): RxDocument<FormDraft> | null {
  const latest = remembered.get(db)?.get(key)?.getLatest()
  return latest && !latest.deleted ? latest : null
}

/**
 * Changes or creates a draft in a single write, because a page that reloads may have no time for a second one.
 * @param change called again if another tab has written the draft meanwhile
 */
export async function changeDraft(db: Database, key: string, change: (draft: FormDraft) => FormDraft) {
  const doc = known(db, key) ?? (await existingOrInserted(db, key, change))
  if (!doc) return
  const changed = await doc.incrementalModify((draft) => {
    // A deleted draft starts blank again.
    const latest: StoredDraft = draft._deleted ? { ...draft, ...blank(key), _deleted: false } : draft
    return { ...latest, ...change(latest) }
  })
  remember(db, changed)
}

type StoredDraft = Parameters<Parameters<RxDocument<FormDraft>['incrementalModify']>[0]>[0]

/** @returns an existing draft, possibly deleted, which the caller must change instead; null if the insert was done */
async function existingOrInserted(db: Database, key: string, change: (draft: FormDraft) => FormDraft) {
  const newDraft = change(blank(key))
  const doc = await db.drafts.insertIfNotExists(newDraft)
  // If another tab deletes the draft at this moment, RxDB returns the deleted document.
  if (doc.deleted || !isSameJson(newDraft, plain(doc.toMutableJSON()))) return doc
  remember(db, doc)
  return null
}

/** Returns the keys of the photos that are needed: those of `photoKeys` that are saved, and all in drafts. */
export async function usedPhotoKeys(db: Database, photoKeys: readonly string[]): Promise<Set<string>> {
  // A save stores the photo before it removes it from the draft, so one of the two reads finds it.
  const drafts = await db.drafts.find().exec()
  const saved = await db.photos.findByIds([...photoKeys]).exec()
  return new Set([...saved.keys(), ...drafts.flatMap(({ photos }) => photos.map(({ key }) => key))])
}
