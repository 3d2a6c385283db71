/** Lists the drafts with input, with their forms. A draft expires a day after its last change (retention/purge). */
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import { PHRASES_DRAFT, visitIn } from '#schemas/resources/visit-key.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { perDatabase, type Database } from '#data/database/database.ts'
import { views$ } from '#data/changes/record-views.ts'
import { ContactType } from '#schemas/codes.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { isFormSlug } from '#data/changes/offline-policy.ts'
import { isEmptyDraft } from './draft-rows.ts'

export interface DraftForm {
  /** Collection of the form's record. Together with `kind`, it gives the name of the form (`jobName`). */
  resource: PushCollection
  recordKey: string
  kind: string
  path: string
  /** Requests of the form, as CRM id or row key. Empty if the draft's key names only a record, which has the request. */
  requests: readonly string[]
}

const encoded = encodeURIComponent

/**
 * Parses the key of a draft: `slug/add/<visit or request>` or `slug/edit/<record's key>`.
 * @param id id of the edited record for the URL; must be the CRM id if the record has one, because the URL would
 * otherwise open another record whose CRM id equals the key
 * @returns null if this app version does not know the form
 */
function draftForm(key: string, id?: string): DraftForm | null {
  const [slug = '', action = '', ...rest] = key.split('/')
  const own = rest.join('/')
  const isAdd = action === 'add'
  if (own === '' || !(isAdd || action === 'edit') || !isFormSlug(slug)) return null
  const { requestId = '', workingDate: day = '', rest: safetyType = '' } = visitIn(own) ?? {}
  const form = (addPath: string, requests: readonly string[], editEnd = ''): DraftForm => ({
    resource: `${slug}s`,
    recordKey: own,
    kind: isAdd ? 'create' : 'edit',
    path: isAdd ? `/${slug}/add${addPath}` : `/${slug}/${encoded(id ?? own)}/edit${editEnd}`,
    requests,
  })
  const ifAdd = (request: string) => (isAdd ? [request] : [])
  switch (slug) {
    case 'quickReport':
      return isAdd ? exitForm(own) : form('', [])
    case 'emergencyReport':
      return form(`/${encoded(requestId)}?workingDate=${day}`, ifAdd(own))
    case 'safetyMeasure': {
      const query = new URLSearchParams({ requestId, safetyType, workingDate: day }).toString()
      return form(`?${query}`, ifAdd(`${requestId}_${day}`))
    }
    case 'customerLocationChangeRequest':
      return form(`/${encoded(own)}`, [own])
    case 'locationContactChangeRequest': {
      // The key is `<request>_<contact type>`. All codes of contact types have the same length.
      const type = own.endsWith(ContactType.code.exit) ? 'type2' : 'type1'
      const request = own.slice(0, -1 - ContactType.code.exit.length)
      return form(`/${encoded(request)}/${type}`, [request], `/${type}`)
    }
    default:
      return form(`/${encoded(own)}`, ifAdd(own))
  }
}

/** Separates the visits in the key of reports that are registered together. Each visit ends with its day. */
const BETWEEN_VISITS = /(?<=_\d{4}-\d{2}-\d{2})\//

function exitForm(own: string): DraftForm {
  const [main = own, ...others] = own.split(BETWEEN_VISITS)
  const query = others.length > 0 ? `?${new URLSearchParams({ other: others.join(',') }).toString()}` : ''
  return {
    resource: 'quickReports',
    recordKey: main,
    kind: 'exit',
    path: `/quickReport/add/${encoded(main)}${query}`,
    requests: [main, ...others],
  }
}

/** `keptUntil`: time at which the draft expires, ISO 8601; '' if it does not expire. */
type TypedDraft = { key: string; values: string; keptUntil: string }
type TypedForm = TypedDraft & { form: DraftForm }

/** Emits the drafts with input, ordered by expiry. A draft stays one of them until its save is complete. */
export const openDrafts$ = (db: Database): Observable<TypedDraft[]> =>
  db.drafts.find().$.pipe(
    map((docs) =>
      docs
        .filter((doc) => !isEmptyDraft(doc) && doc.key !== PHRASES_DRAFT)
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
 * Emits the drafts with their forms, without forms that this version does not know (sync RULES PL3). The draft of a
 * sheet that becomes a photo of a form is left out if the form has a draft too.
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

/** Emits the form from which the user opened this sheet, with the sheet's path; null once a new record exists. */
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
  form: string
}

/** The sheet of this draft, if it is not a photo yet; null for any other draft. */
export function unfinishedSheet({ key, values }: Pick<TypedDraft, 'key' | 'values'>): UnfinishedSheet | null {
  const [, name] = SHEET.exec(key) ?? []
  if (name === undefined || values === '') return null
  const { form, pictures } = (JSON.parse(values) ?? {}) as { form?: unknown; pictures?: unknown }
  const isFinished = !Array.isArray(pictures) || pictures.length > 0
  return typeof form === 'string' && !isFinished ? { name, form } : null
}
