/** Draws a filled-in paper form as a picture and adds it to the form's draft like a picked photo. */
import { useState } from 'react'
import { photoName } from '#schemas/resources/photo-name.ts'
import { useServices, useUserData, type UserData } from '#data/context/app-context.tsx'
import { useNow } from '#data/context/use-now.ts'
import { placePhoto } from '#data/drafts/drafts.ts'
import { useAddMade, useDeviceWrites, type MadeProblem } from '#data/context/use-made-photo.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { inJapanese } from '#lib/language.ts'
import { fileStamp, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { sheetPicture, type SheetPage, sheetPage } from './draw-sheet.ts'
import type { DrawnSheet, SheetTexts } from './sheet-spec.ts'
import { sheetKey } from './sheets.ts'
import { useLingui } from '@lingui/react/macro'

/** Why the picture or the input of a paper form was not stored. `undrawn`: the browser produced no picture. */
export type SheetProblem = MadeProblem | 'undrawn'

export function useSheetPicture(spec: DrawnSheet, photos: FormPhotos) {
  const { i18n } = useLingui()
  const write = useDeviceWrites(useUserData())
  const addPicture = useAddPicture(spec, photos)
  const [problem, setProblem] = useState<SheetProblem | null>(null)
  const [isMaking, setMaking] = useState(false)
  return {
    problem,
    isMaking,
    store: (change: Parameters<typeof write>[0]) => void write(change).then(setProblem),
    /** Makes the picture. @param afterwards called with its key @returns true if the form's draft has it */
    async make(
      values: SheetTexts,
      facts: SheetPage['facts'],
      afterwards?: (data: UserData, picture: string) => Promise<null>,
    ): Promise<boolean> {
      setMaking(true)
      const jpeg = await sheetPicture(inJapanese(() => sheetPage(spec, values, facts, i18n))).catch(
        () => null,
      )
      const makingProblem = jpeg
        ? await write(async (data) => {
            const added = await addPicture(data, jpeg)
            return added === 'large' ? added : ((await afterwards?.(data, added.key)) ?? null)
          })
        : 'undrawn'
      setMaking(false)
      setProblem(makingProblem)
      return makingProblem === null
    },
  }
}

/** Returns a function that adds the picture to the form with the current time, and the position once it is known. */
function useAddPicture(spec: DrawnSheet, photos: FormPhotos) {
  const { photo: settings, errorLog } = useServices()
  const now = useNow()
  const add = useAddMade(photos.items, photos.draft.key)
  return async (data: UserData, jpeg: ArrayBuffer) => {
    const time = now()
    const place = settings.place()
    const added = await add(data, jpeg, {
      name: photoName(spec.fileName, fileStamp(time), 'image/jpeg'),
      takenAt: toTokyoIso(time),
      placeInfo: '',
      origin: { taken: 'clock', place: 'device', markedOf: sheetKey(spec, photos.draft.target) },
    })
    if (added === 'large') return added
    const placed = place.then(async (position) => {
      if (position && !data.db.closed) await placePhoto(data.db, photos.draft.key, added.key, position)
    })
    data.drafts.takes(placed.catch(errorLog.note))
    return added
  }
}

export function SheetProblemText({ why }: { why: SheetProblem }) {
  const { t } = useLingui()
  const texts = {
    full: t`端末の空き容量が足りません。入力した内容はこの画面に残っています。空きができたら、もう一度操作してください。`,
    failed: t`端末に保存できませんでした。入力した内容はこの画面に残っています。もう一度操作してください。`,
    undrawn: t`写真を作れませんでした。入力した内容は残っています。もう一度押してください。`,
    large: t`写真が上限の大きさを超えたため、追加していません。入力した内容は残っています。`,
  }
  return texts[why]
}
