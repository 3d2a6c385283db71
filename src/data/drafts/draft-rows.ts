/** Writes a form's draft, always the whole draft in one write, and removes photos from drafts. */
import type { RxDocument } from 'rxdb/plugins/core'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { pickSameKeys } from '#schemas/changes/change-queue.ts'
import { isSameJson } from '#lib/is-same.ts'
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

/** The draft without RxDB's own fields. */
export const plain = (stored: FormDraft): FormDraft =>
  pickSameKeys(stored, blank(stored.key)) as object as FormDraft

/** The drafts that this tab has read or written, for writes without a read first. */
const written = new WeakMap<Database, Map<string, RxDocument<FormDraft>>>()

/** Remembers a draft that this tab has read or written. */
export const remember = (db: Database, draft: RxDocument<FormDraft>) =>
  void written.set(db, new Map(written.get(db)).set(draft.key, draft))

/** The current draft, if this tab has read or written it and the draft still exists. */
export function known(db: Database, key: string): RxDocument<FormDraft> | null {
  const latest = written.get(db)?.get(key)?.getLatest()
  return latest && !latest.deleted ? latest : null
}

/**
 * Changes a draft in one write, or creates it whole. There is no second write, because a page that reloads
 * may have no time for it. RxDB applies the change to the draft that another tab may have written meanwhile.
 */
export async function changeDraft(
  db: Database,
  key: string,
  change: (draft: FormDraft) => FormDraft,
): Promise<void> {
  const doc = known(db, key) ?? (await existingOrInserted(db, key, change))
  if (!doc) return
  const written = await doc.incrementalModify((draft) => {
    // A draft that was dropped meanwhile is created again in the same write.
    const latest: StoredDraft = draft._deleted ? { ...draft, ...blank(key), _deleted: false } : draft
    // RxDB's own fields are preserved.
    return { ...latest, ...change(latest) }
  })
  remember(db, written)
}

type StoredDraft = Parameters<Parameters<RxDocument<FormDraft>['incrementalModify']>[0]>[0]

/**
 * Inserts a new draft.
 * @returns the draft that existed already, dropped or not, and still has to be changed; null if this call
 * inserted it
 */
async function existingOrInserted(db: Database, key: string, change: (draft: FormDraft) => FormDraft) {
  const newDraft = change(blank(key))
  const doc = await db.drafts.insertIfNotExists(newDraft)
  // If a drop is being written at this moment, RxDB returns the dropped draft, which may have the same
  // content.
  if (doc.deleted || !isSameJson(newDraft, plain(doc.toMutableJSON()))) return doc
  remember(db, doc)
  return null
}

/** The keys of those photos that a draft names or that are saved. */
export async function usedPhotoKeys(db: Database, photoKeys: readonly string[]): Promise<Set<string>> {
  // Drafts are read before photos: a save creates the photo before it removes it from the draft, so one of the two
  // reads finds it.
  const drafts = await db.drafts.find().exec()
  const saved = await db.photos.findByIds([...photoKeys]).exec()
  return new Set([...saved.keys(), ...drafts.flatMap(({ photos }) => photos.map(({ key }) => key))])
}
