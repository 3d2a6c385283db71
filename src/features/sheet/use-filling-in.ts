/** Filling in a sheet: each change is stored at once, and the picture goes into the form's draft as a picked photo does. */
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import { useServices, type UserData } from '#data/context/app-context.tsx'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { inJapanese } from '#lib/language.ts'
import type { SheetPage } from './draw-sheet.ts'
import { rememberOfSheet } from './own-sentences.ts'
import type { SheetSpec, SheetTexts, SheetValues } from './sheet-spec.ts'
import { usePreviousSheet } from './use-previous-sheet.ts'
import { useSheetPicture } from './use-sheet-picture.ts'
import { sheetKey, useStoredSheet } from './use-sheet.ts'

/** More pictures of one sheet than a form takes. */
const PICTURES_MAX = 20

export function useFillingIn(spec: SheetSpec, photos: FormPhotos) {
  const row = useNewRow(spec)
  const stored = useStoredSheet(spec, photos.draft.target)
  const [own, setOwn] = useState<SheetValues>()
  const { problem, isMaking, store, make } = useSheetPicture(spec, photos)
  const previous = usePreviousSheet(spec, photos)
  const values = own ?? stored ?? { fields: row(), rows: [row(0)], pictures: [] }
  const put = async ({ drafts }: UserData, next: SheetValues) => {
    // The list of what is half typed leads back to the form.
    await drafts.keep(sheetKey(spec, photos.draft.target), { ...next, form: photos.draft.key })
    return null
  }
  return {
    /** Undefined until the device is read. */
    values: stored === undefined ? undefined : values,
    /** The sheet of the last visit to the same place, until this one has texts of its own. */
    previous: own || stored ? null : previous,
    problem,
    isMaking,
    newRow: () => row(values.rows.length),
    change(next: SheetTexts) {
      const changed = { ...next, pictures: [] }
      setOwn(changed)
      store((data) => put(data, changed))
    },
    /** @returns true if the picture is in the form's draft */
    make: (facts: SheetPage['facts']): Promise<boolean> =>
      make(values, facts, async (data, picture) => {
        // Without them the fixed sentences are offered.
        void rememberOfSheet(data.drafts, spec, values).catch(() => undefined)
        return put(data, { ...values, pictures: [...values.pictures, picture].slice(-PICTURES_MAX) })
      }),
  }
}

/** @returns the texts that the fields outside of rows begin with, or those of a row with this index */
function useNewRow(spec: SheetSpec) {
  const { i18n } = useLingui()
  const { session } = useServices()
  const userName = session.get()?.userInfo.loginUserName ?? ''
  return (at?: number): Record<string, string> => {
    const texts = Object.entries(spec.startOf({ userName }, at))
    return Object.fromEntries(
      texts.map(([name, text]) => [name, typeof text === 'string' ? text : inJapanese(() => i18n._(text))]),
    )
  }
}
