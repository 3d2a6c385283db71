/** What is half typed, as 送信状況 lists it: it is kept for a day after it was touched (sync/draft-expiry). */
import { map, type Observable } from 'rxjs'
import type { FormDraft } from '#schemas/form-draft.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { Database } from './database.ts'

export interface KeptDraft {
  /** The form's: `noteLocationArea/add/<id>`. */
  key: string
  /** What is kept of its fields, as JSON; '' where nothing was typed. */
  values: string
  /** ISO 8601. */
  keptUntil: string
}

/** What was typed was taken away again, and no photo is left. */
const saysNothing = ({ values, photos, unwanted }: FormDraft) =>
  photos.length + unwanted.length === 0 && (values === '' || values === NOTHING_TYPED)

const NOTHING_TYPED = JSON.stringify({})

/** Those that go next first; also of a save that failed on the device: it is over when the draft has gone. */
export const keptDrafts$ = (db: Database): Observable<KeptDraft[]> =>
  db.drafts.find().$.pipe(
    map((docs) =>
      docs
        .filter((doc) => !saysNothing(doc))
        .map((doc) => ({ key: doc.key, values: doc.values, touchedAt: doc.toMutableJSON(true)._meta.lwt }))
        .toSorted((a, b) => a.touchedAt - b.touchedAt)
        .map(({ key, values, touchedAt }) => ({
          key,
          values,
          keptUntil: new Date(touchedAt + EXPIRY_MS).toISOString(),
        })),
    ),
  )
