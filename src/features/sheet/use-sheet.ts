/** The paper forms of a visit. Each is a draft: encrypted, removed after the visit. Only its picture is sent. */
import { sheetDraft, visitKey } from '#schemas/resources/visit-key.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { draft$ } from '#data/drafts/drafts.ts'
import type { DraftTarget } from '#data/drafts/save-draft.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { sheetValuesIn, type SheetSpec, type SheetValues } from './sheet-spec.ts'

type VisitOfSheet = Pick<DraftTarget, 'requestId' | 'workingDate'>

export const sheetKey = (sheet: Pick<SheetSpec, 'name'>, visit: VisitOfSheet): string =>
  sheetDraft(sheet.name, visitKey(visit.requestId, visit.workingDate))

/** Returns the values of a paper form; null if there are none, undefined until the database is read. */
export function useStoredSheet(spec: SheetSpec, visit: VisitOfSheet): SheetValues | null | undefined {
  const key = sheetKey(spec, visit)
  const draft = useLiveQuery(`sheet ${key}`, (db) => draft$(db, key))
  return draft && sheetValuesIn(draft.values)
}

/** True if a photo of the form shows exactly these values. */
export const isRecorded = (values: SheetValues, { items }: Pick<FormPhotos, 'items'>): boolean =>
  items.some(({ key }) => values.pictures.includes(key))

/** True if a photo shows the current values, without a reason to stop the work; undefined until they are read. */
export function useRecorded(spec: SheetSpec, photos: FormPhotos): boolean | undefined {
  const values = useStoredSheet(spec, photos.draft.target)
  if (values === undefined) return undefined
  return values !== null && isRecorded(values, photos) && spec.stopsIn(values).length === 0
}
