/** How a form's draft is written: whole, and in one write. */
import type { RxDocument } from 'rxdb/plugins/core'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Database } from '#data/database/database.ts'

/** One that has nothing yet. */
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

/** Without what the storage has beside it. */
export const plain = (stored: FormDraft): FormDraft => {
  const { key, values, photos, unwanted, saving, saved, resource, recordKey, requestId, workingDate } = stored
  return { key, values, photos, unwanted, saving, saved, resource, recordKey, requestId, workingDate }
}

/** The drafts that this tab has read or written. */
const written = new WeakMap<Database, Map<string, RxDocument<FormDraft>>>()

export const remember = (db: Database, draft: RxDocument<FormDraft>) =>
  void written.set(db, new Map(written.get(db)).set(draft.key, draft))

/** As it is now, where this tab knows it and it is still there. */
export function known(db: Database, key: string): RxDocument<FormDraft> | null {
  const latest = written.get(db)?.get(key)?.getLatest()
  return latest && !latest.deleted ? latest : null
}

/**
 * A new one is whole in its first write: nobody sees it empty. One that is known is changed in one write, too: a page that
 * is loaded anew has no time for a second. What another tab has written meanwhile, RxDB reads before it writes again.
 */
export async function change(db: Database, key: string, to: (draft: FormDraft) => FormDraft): Promise<void> {
  const doc = known(db, key) ?? (await inserted(db, key, to))
  if (!doc) return
  const written = await doc.incrementalModify((draft) => {
    // one that was dropped meanwhile is made anew, in the same write
    const latest: StoredDraft = draft._deleted ? { ...draft, ...blank(key), _deleted: false } : draft
    // what the storage has beside a draft stays
    return { ...latest, ...to(latest) }
  })
  remember(db, written)
}

type StoredDraft = Parameters<Parameters<RxDocument<FormDraft>['incrementalModify']>[0]>[0]

/** @returns the one that was there before, dropped or not: it is not changed yet */
async function inserted(db: Database, key: string, to: (draft: FormDraft) => FormDraft) {
  const whole = to(blank(key))
  const doc = await db.drafts.insertIfNotExists(whole)
  // a drop whose write ends in this moment: RxDB gives the dropped one, which may say the same
  if (doc.deleted || !isAs(whole, doc.toMutableJSON())) return doc
  remember(db, doc)
  return null
}

const isAs = (whole: FormDraft, stored: FormDraft): boolean =>
  Object.entries(whole).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(stored, name)),
  )
