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
import { perDatabase } from '#data/database/per-database.ts'
import { views$ } from '#data/changes/record-views.ts'

/** A draft with input. */
interface TypedDraft {
  /** Key of the form: `noteLocationArea/add/<id>`. */
  key: string
  /** The form's fields as JSON; '' if nothing was typed. */
  values: string
  /** When the draft expires, ISO 8601; '' if it does not expire by itself. */
  keptUntil: string
}

interface TypedForm extends TypedDraft {
  form: DraftForm
}

/** True if the user has deleted all input again. */
const isEmpty = ({ values, photos, unwanted }: FormDraft) =>
  photos.length + unwanted.length === 0 && (values === '' || values === NOTHING_TYPED)

const NOTHING_TYPED = JSON.stringify({})

/** Drafts with input. Drafts that expire earlier come first. A draft whose save failed on the device is included. */
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
 * listed with its form, unless that form has a draft of its own.
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

/** The forms of the drafts, ordered by key. Does not emit while the user types in a form. */
export const draftForms$ = (db: Database): Observable<DraftForm[]> =>
  typedForms$(db).pipe(
    map((forms) => forms.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ form }) => form)),
    distinctUntilChanged<DraftForm[]>(isSameJson),
  )

const formOf$ =
  (db: Database, isListed: (key: string) => boolean) =>
  (draft: TypedDraft): Observable<TypedForm | null> => {
    const sheet = unfinishedSheet(draft)
    if (!sheet) return namedForm$(db, draft)
    return isListed(sheet.form) ? of(null) : formOfSheet$(db, draft, sheet)
  }

/** The form that a sheet was opened from; null once the form's record exists: the form was saved without the sheet. */
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
      // The key of an edit's draft names no request, so the request is found through the record.
      const requests = named.requests.length > 0 ? named.requests : record ? [record.requestId] : []
      return { ...draft, form: { ...named, requests } }
    }),
  )
}

/** Key of a sheet's draft, with the name of the sheet (decisions/forms). */
const SHEET = /^sheet\/([a-z-]+)\//

interface UnfinishedSheet {
  /** Opens the sheet: `?sheet=name`. */
  name: string
  /** Key of the draft of the form that the sheet was filled in from. */
  form: string
}

/** A sheet with texts that no picture shows yet; null if a picture shows them, or if the draft is not of a sheet. */
function unfinishedSheet({ key, values }: TypedDraft): UnfinishedSheet | null {
  const [, name] = SHEET.exec(key) ?? []
  if (name === undefined || values === '') return null
  const { form, pictures } = (JSON.parse(values) ?? {}) as { form?: unknown; pictures?: unknown }
  const isFinished = !Array.isArray(pictures) || pictures.length > 0
  return typeof form === 'string' && !isFinished ? { name, form } : null
}
