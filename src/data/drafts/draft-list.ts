/** What is half typed, each with the form that it opens in: it is kept for a day after it was touched (sync/draft-expiry). */
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { isSameJson } from '#lib/is-same.ts'
import type { Database } from '#data/database/database.ts'
import { draftForm, type DraftForm } from './draft-forms.ts'
import { perDatabase } from '#data/database/per-database.ts'
import { views$ } from '#data/changes/record-views.ts'

interface KeptDraft {
  /** The form's: `noteLocationArea/add/<id>`. */
  key: string
  /** What is kept of its fields, as JSON; '' where nothing was typed. */
  values: string
  /** ISO 8601. */
  keptUntil: string
}

interface KeptForm extends KeptDraft {
  form: DraftForm
}

/** What was typed was taken away again, and no photo is left. */
const saysNothing = ({ values, photos, unwanted }: FormDraft) =>
  photos.length + unwanted.length === 0 && (values === '' || values === NOTHING_TYPED)

const NOTHING_TYPED = JSON.stringify({})

/** Those that go next first; also of a save that failed on the device: it is over when the draft has gone. */
export const openDrafts$ = (db: Database): Observable<KeptDraft[]> =>
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

/** Without drafts of forms that this version does not know (sync RULES PL3). */
export const typedForms$ = perDatabase((db): Observable<KeptForm[]> =>
  openDrafts$(db).pipe(
    switchMap((drafts) => (drafts.length === 0 ? of([]) : combineLatest(drafts.map(formOf$(db))))),
    map((forms) => forms.flatMap((each) => each ?? [])),
  ),
)

/** The same forms without their content: typing in one of them emits nothing. In the order of their keys. */
export const draftForms$ = (db: Database): Observable<DraftForm[]> =>
  typedForms$(db).pipe(
    map((forms) => forms.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ form }) => form)),
    distinctUntilChanged<DraftForm[]>(isSameJson),
  )

const formOf$ =
  (db: Database) =>
  (draft: KeptDraft): Observable<KeptForm | null> => {
    const form = draftForm(draft.key)
    if (!form || form.kind !== 'edit') return of(form && { ...draft, form })
    const { resource, recordKey } = form
    const record$ = views$(db, resource, { key: recordKey }, ({ key }) => key === recordKey)
    return record$.pipe(
      map(([record]) => {
        const named = draftForm(draft.key, record?.serverId || undefined) ?? form
        // of an edit only the record knows the request
        const requests = named.requests.length > 0 ? named.requests : record ? [record.requestId] : []
        return { ...draft, form: { ...named, requests } }
      }),
    )
  }
