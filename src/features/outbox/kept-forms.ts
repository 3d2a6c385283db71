/** The forms of what is half typed, each by the address that leads to its record (sync RULES PL3). */
import { combineLatest, map, of, switchMap, type Observable } from 'rxjs'
import type { Database } from '#data/database.ts'
import { keptDrafts$, type KeptDraft } from '#data/draft-list.ts'
import { views$ } from '#data/record-views.ts'
import { draftForm, type DraftForm } from './draft-forms.ts'

interface KeptForm extends KeptDraft {
  form: DraftForm
}

/** Without those whose form this version does not know. */
export const keptForms$ = (db: Database): Observable<KeptForm[]> =>
  keptDrafts$(db).pipe(
    switchMap((drafts) => (drafts.length === 0 ? of([]) : combineLatest(drafts.map(formOf$(db))))),
    map((forms) => forms.flatMap((each) => each ?? [])),
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
        // of an edit only the record says for which request it is
        return { ...draft, form: { ...named, request: named.request || (record?.requestId ?? '') } }
      }),
    )
  }
