/** Filling in a sheet: each change is stored at once, and the picture goes into the form's draft as a picked photo does. */
import { useLingui } from '@lingui/react'
import { useState } from 'react'
import { photoName } from '#schemas/resources/photo-name.ts'
import { useServices, useUserData, type UserData } from '#data/context/app-context.tsx'
import { useNow } from '#data/context/use-now.ts'
import { placePhoto } from '#data/drafts/drafts.ts'
import { useAddMade, useDeviceWrites, type MadeProblem } from '#data/context/use-made-photo.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { fileStamp, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { sheetPicture, type SheetPage } from './draw-sheet.ts'
import { sheetPage } from './sheet-page.ts'
import type { SheetSpec, SheetValues } from './sheet-spec.ts'
import { usePreviousSheet } from './use-previous-sheet.ts'
import { sheetKey, useStoredSheet } from './use-sheet.ts'

/** `undrawn`: the browser made no picture. */
export type SheetProblem = MadeProblem | 'undrawn'

/** More pictures of one sheet than a form takes. */
const PICTURES_MAX = 20

export function useFillingIn(spec: SheetSpec, photos: FormPhotos) {
  const { i18n } = useLingui()
  const write = useDeviceWrites(useUserData())
  const addPicture = useAddPicture(photos)
  const row = useNewRow(spec)
  const stored = useStoredSheet(spec, photos)
  const [own, setOwn] = useState<SheetValues>()
  const [problem, setProblem] = useState<SheetProblem | null>(null)
  const [isMaking, setMaking] = useState(false)
  const previous = usePreviousSheet(spec, photos)
  const key = sheetKey(spec, photos)
  const values = own ?? stored ?? { fields: row(), rows: [row(0)], pictures: [] }
  const put = async (data: UserData, next: SheetValues) => {
    await data.drafts.keep(key, next)
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
    change(next: Omit<SheetValues, 'pictures'>) {
      const changed = { ...next, pictures: [] }
      setOwn(changed)
      void write((data) => put(data, changed)).then(setProblem)
    },
    /** @returns true if the picture is in the form's draft */
    async make(facts: SheetPage['facts']): Promise<boolean> {
      setMaking(true)
      const jpeg = await sheetPicture(sheetPage(spec, values, facts, i18n)).catch(() => null)
      const found = jpeg
        ? await write(async (data) => {
            const added = await addPicture(data, jpeg, { source: key, fileName: spec.fileName })
            if (added === 'large') return added
            return put(data, { ...values, pictures: [...values.pictures, added.key].slice(-PICTURES_MAX) })
          })
        : 'undrawn'
      setMaking(false)
      setProblem(found)
      return found === null
    },
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
      texts.map(([name, text]) => [name, typeof text === 'string' ? text : i18n._(text)]),
    )
  }
}

/** @returns adds a picture with the time of now, and its position when it is known */
function useAddPicture(photos: FormPhotos) {
  const { photo: settings, errorLog } = useServices()
  const now = useNow()
  const add = useAddMade(photos.items, photos.draft.key)
  return async (data: UserData, jpeg: ArrayBuffer, of: { source: string; fileName: string }) => {
    const at = now()
    const place = settings.place()
    const added = await add(data, jpeg, {
      name: photoName(of.fileName, fileStamp(at), 'image/jpeg'),
      takenAt: toTokyoIso(at),
      placeInfo: '',
      origin: { taken: 'clock', place: 'device', markedOf: of.source },
    })
    if (added === 'large') return added
    const placed = place.then(async (found) => {
      if (found && !data.db.closed) await placePhoto(data.db, photos.draft.key, added.key, found)
    })
    data.drafts.takes(placed.catch(errorLog.note))
    return added
  }
}
