/** Writes a form's draft: always the whole draft, in one write. */
import type { RxDocument } from 'rxdb/plugins/core'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'

/** An empty draft. */
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
export const plain = (stored: FormDraft): FormDraft => {
  const { key, values, photos, unwanted, saving, saved, resource, recordKey, requestId, workingDate } = stored
  return { key, values, photos, unwanted, saving, saved, resource, recordKey, requestId, workingDate }
}

/** The drafts that this tab has read or written, for writes without a read first. */
const written = new WeakMap<Database, Map<string, RxDocument<FormDraft>>>()

/** Remembers a draft that this tab has read or written. */
export const remember = (db: Database, draft: RxDocument<FormDraft>) =>
  void written.set(db, new Map(written.get(db)).set(draft.key, draft))

/** The current draft, if this tab knows it and it still exists. */
export function known(db: Database, key: string): RxDocument<FormDraft> | null {
  const latest = written.get(db)?.get(key)?.getLatest()
  return latest && !latest.deleted ? latest : null
}

/**
 * Changes a draft in one write, or creates it whole. There is no second write, because a page that reloads
 * may have no time for it. RxDB applies the change to what another tab may have written meanwhile.
 */
export async function changeDraft(
  db: Database,
  key: string,
  to: (draft: FormDraft) => FormDraft,
): Promise<void> {
  const doc = known(db, key) ?? (await inserted(db, key, to))
  if (!doc) return
  const written = await doc.incrementalModify((draft) => {
    // A draft that was dropped meanwhile is created again in the same write.
    const latest: StoredDraft = draft._deleted ? { ...draft, ...blank(key), _deleted: false } : draft
    // RxDB's own fields are preserved.
    return { ...latest, ...to(latest) }
  })
  remember(db, written)
}

type StoredDraft = Parameters<Parameters<RxDocument<FormDraft>['incrementalModify']>[0]>[0]

/**
 * Inserts a new draft.
 * @returns the draft that existed already, dropped or not, and still has to be changed; null if this call
 * inserted it
 */
async function inserted(db: Database, key: string, to: (draft: FormDraft) => FormDraft) {
  const newDraft = to(blank(key))
  const doc = await db.drafts.insertIfNotExists(newDraft)
  // If a drop is being written at this moment, RxDB returns the dropped draft, which may have the same
  // content.
  if (doc.deleted || !isAs(newDraft, doc.toMutableJSON())) return doc
  remember(db, doc)
  return null
}

const isAs = (newDraft: FormDraft, stored: FormDraft): boolean =>
  Object.entries(newDraft).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(stored, name)),
  )
