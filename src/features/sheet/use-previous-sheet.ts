import { useEffect, useState } from 'react'
import { visitIn, visitOfDraft } from '#schemas/resources/visit-key.ts'
import { useUserData } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { requestsOfPlace } from '#data/visits/request-rows.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { sheetValuesIn, type SheetSpec, type SheetValues } from './sheet-spec.ts'
import { sheetKey } from './use-sheet.ts'

/** Returns the newest sheet of another visit to the same place, if the sheet is repeated and the device has one. */
export function usePreviousSheet(spec: SheetSpec, photos: FormPhotos): SheetValues | null {
  const db = useUserData()?.db
  const key = sheetKey(spec, photos.draft.target)
  const { requestId } = photos.draft.target
  const [found, setFound] = useState<SheetValues | null>(null)
  useEffect(() => {
    if (!db || !spec.isRepeated) return undefined
    let left = false
    previousSheet(db, key, requestId).then(
      (values) => left || setFound(values),
      // Ignores an error during logout, when nobody needs the result.
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [db, spec, key, requestId])
  return found
}

async function previousSheet(db: Database, key: string, requestId: string): Promise<SheetValues | null> {
  const place = await requestsOfPlace(db, requestId)
  const [kind] = key.split(visitOfDraft(key) ?? key)
  const isOfPlace = (other: string) => {
    const visit = other.startsWith(kind ?? key) ? visitIn(visitOfDraft(other) ?? '') : null
    return other !== key && visit !== null && place.has(visit.requestId)
  }
  const drafts = await db.drafts.find().exec()
  const [newest] = drafts
    .filter((draft) => isOfPlace(draft.key))
    .map((draft) => draft.toMutableJSON(true))
    .toSorted((a, b) => b._meta.lwt - a._meta.lwt)
  return newest ? sheetValuesIn(newest.values) : null
}
