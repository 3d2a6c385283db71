/**
 * Drafts with input, each with the form it opens in. A draft expires a day after its last change
 * (sync/retention/purge).
 */
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { isSameJson } from '#lib/is-same.ts'
import type { Database } from '#data/database/database.ts'
import { draftForm, type DraftForm } from './draft-forms.ts'
import { unfinishedSheet, type UnfinishedSheet } from './unfinished-sheet.ts'
import { perDatabase } from '#data/database/per-database.ts'
import { views$ } from '#data/changes/record-views.ts'

interface TypedDraft {
  /** Key of the form: `noteLocationArea/add/<id>`. */
  key: string
  /** Its fields as JSON; '' if nothing was typed. */
  values: string
  /** When it expires, ISO 8601. */
  keptUntil: string
}

interface TypedForm extends TypedDraft {
  form: DraftForm
}

/** True if all input was deleted again and no photo remains. */
const isEmpty = ({ values, photos, unwanted }: FormDraft) =>
  photos.length + unwanted.length === 0 && (values === '' || values === NOTHING_TYPED)

const NOTHING_TYPED = JSON.stringify({})

/**
 * Drafts with input, those that expire first at the front. Includes drafts of a save that failed on the
 * device; they end when the draft is dropped.
 */
export const openDrafts$ = (db: Database): Observable<TypedDraft[]> =>
  db.drafts.find().$.pipe(
    map((docs) =>
      docs
        .filter((doc) => !isEmpty(doc) && doc.key !== PHRASES_DRAFT)
        .map((doc) => ({ key: doc.key, values: doc.values, touchedAt: doc.toMutableJSON(true)._meta.lwt }))
        .toSorted((a, b) => a.touchedAt - b.touchedAt)
        .map(({ key, values, touchedAt }) => ({
          key,
          values,
          keptUntil: new Date(touchedAt + EXPIRY_MS).toISOString(),
        })),
    ),
  )

/**
 * Drafts and their forms, without forms that this app version does not know (sync RULES PL3). An unfinished sheet is
 * listed with its form, unless that is listed itself.
 */
export const typedForms$ = perDatabase((db): Observable<TypedForm[]> =>
  openDrafts$(db).pipe(
    switchMap((drafts) => {
      const isListed = (key: string) => drafts.some((each) => each.key === key)
      return drafts.length === 0 ? of([]) : combineLatest(drafts.map(formOf$(db, isListed)))
    }),
    map((forms) => forms.flatMap((each) => each ?? [])),
  ),
)

/** Only the forms, ordered by key. Does not emit while the user types in one of them. */
export const draftForms$ = (db: Database): Observable<DraftForm[]> =>
  typedForms$(db).pipe(
    map((forms) => forms.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ form }) => form)),
    distinctUntilChanged<DraftForm[]>(isSameJson),
  )

const formOf$ =
  (db: Database, isListed: (key: string) => boolean) =>
  (draft: TypedDraft): Observable<TypedForm | null> => {
    const sheet = unfinishedSheet(draft.key, draft.values)
    if (!sheet) return namedForm$(db, draft)
    return isListed(sheet.form) ? of(null) : formOfSheet$(db, draft, sheet)
  }

/** The form that a sheet was opened from; null once its record exists: the form was saved without the sheet. */
function formOfSheet$(db: Database, draft: TypedDraft, { name, form }: UnfinishedSheet) {
  return namedForm$(db, { ...draft, key: form }).pipe(
    switchMap((found): Observable<TypedForm | null> => {
      if (!found) return of(null)
      const { path, kind, resource, recordKey } = found.form
      // A sheet stays as long as its visit, not for a day.
      const own = { ...found, key: draft.key, keptUntil: '' }
      const opened = {
        ...own,
        form: { ...found.form, path: `${path}${path.includes('?') ? '&' : '?'}sheet=${name}` },
      }
      if (kind === 'edit') return of(opened)
      return views$(db, resource, { key: recordKey }).pipe(map(([record]) => (record ? null : opened)))
    }),
  )
}

function namedForm$(db: Database, draft: TypedDraft): Observable<TypedForm | null> {
  const form = draftForm(draft.key)
  if (!form || form.kind !== 'edit') return of(form && { ...draft, form })
  const { resource, recordKey } = form
  const record$ = views$(db, resource, { key: recordKey })
  return record$.pipe(
    map(([record]) => {
      const named = draftForm(draft.key, record?.serverId || undefined) ?? form
      // For an edit, only the record knows the request.
      const requests = named.requests.length > 0 ? named.requests : record ? [record.requestId] : []
      return { ...draft, form: { ...named, requests } }
    }),
  )
}
