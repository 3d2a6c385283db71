/** What is half typed, as 送信状況 lists it: it is kept for a day after it was touched (sync/draft-expiry). */
import { map, type Observable } from 'rxjs'
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import type { Database } from './database.ts'

export interface KeptDraft {
  /** The form's: `noteLocationArea/add/<id>`. */
  key: string
  /** ISO 8601. */
  keptUntil: string
}

/** Those that go next first. A form whose save has begun is none any more. */
export const keptDrafts$ = (db: Database): Observable<KeptDraft[]> =>
  db.drafts.find({ selector: { saving: 'no' } }).$.pipe(
    map((docs) =>
      docs
        .map((doc) => ({ key: doc.key, touchedAt: doc.toMutableJSON(true)._meta.lwt }))
        .toSorted((a, b) => a.touchedAt - b.touchedAt)
        .map(({ key, touchedAt }) => ({
          key,
          keptUntil: new Date(touchedAt + EXPIRY_HOURS * 3_600_000).toISOString(),
        })),
    ),
  )
