/**
 * Lists the drafts that contain input, with their forms. A draft expires a day after its last change
 * (sync/retention/purge).
 */
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import type { Database } from '#data/database/database.ts'
import { draftForm, type DraftForm } from './draft-forms.ts'
import { perDatabase } from '#data/database/per-database.ts'
import { views$ } from '#data/changes/record-views.ts'

interface TypedDraft {
  /** Key of the form, such as `noteLocationArea/add/<id>`. */
  key: string
  /** Fields of the form as JSON; '' without typed text. */
  values: string
  /** Time at which the draft expires, ISO 8601; '' if it does not expire. */
  keptUntil: string
}

interface TypedForm extends TypedDraft {
  form: DraftForm
}

const isEmpty = ({ values, photos, unwanted }: FormDraft) =>
  photos.length + unwanted.length === 0 && (values === '' || values === NOTHING_TYPED)

const NOTHING_TYPED = JSON.stringify({})

/** Emits the drafts with input, ordered by expiry. A draft stays one of them until its save is complete. */
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
 * Emits the drafts with their forms. Forms that this app version does not know are left out (sync RULES PL3). A sheet
 * that is being filled in, and becomes a photo of a form, has a draft of its own. This is left out if the form has a
 * draft too.
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

/** Emits the forms of the drafts, ordered by key. Typing into a form emits nothing. */
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

/**
 * Emits the form from which the user opened this sheet, with a path that opens the sheet. For a form that adds a
 * record, emits null once the record exists.
 */
function formOfSheet$(db: Database, draft: TypedDraft, { name, form }: UnfinishedSheet) {
  return namedForm$(db, { ...draft, key: form }).pipe(
    switchMap((found): Observable<TypedForm | null> => {
      if (!found) return of(null)
      const { path, kind, resource, recordKey } = found.form
      const sheetPath = `${path}${path.includes('?') ? '&' : '?'}sheet=${name}`
      const listed = { ...draft, keptUntil: '', form: { ...found.form, path: sheetPath } }
      if (kind === 'edit') return of(listed)
      return views$(db, resource, { key: recordKey }).pipe(map(([record]) => (record ? null : listed)))
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
      // The key of an edit contains no request, so the request of the record is used.
      const requests = named.requests.length > 0 ? named.requests : record ? [record.requestId] : []
      return { ...draft, form: { ...named, requests } }
    }),
  )
}

/** Matches the draft key of a sheet that becomes a photo (decisions/forms), and captures the sheet's name. */
const SHEET = /^sheet\/([a-z-]+)\//

interface UnfinishedSheet {
  /** Name of the sheet, for the URL's `?sheet=`. */
  name: string
  /** Draft key of the form from which the user opened the sheet. */
  form: string
}

/** Parses the draft of a sheet that is not a photo of its form yet; null for other drafts. */
function unfinishedSheet({ key, values }: TypedDraft): UnfinishedSheet | null {
  const [, name] = SHEET.exec(key) ?? []
  if (name === undefined || values === '') return null
  const { form, pictures } = (JSON.parse(values) ?? {}) as { form?: unknown; pictures?: unknown }
  const isFinished = !Array.isArray(pictures) || pictures.length > 0
  return typeof form === 'string' && !isFinished ? { name, form } : null
}
