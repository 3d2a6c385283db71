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
import {
  type DrawnSheet,
  type SheetTexts,
  type SheetField,
  type SheetSpec,
  type SheetValues,
  sheetValuesIn,
} from './sheet-spec.ts'
import { sheetKey, useStoredSheet } from './sheets.ts'
import { useLingui } from '@lingui/react/macro'
import { useRead } from '#features/photo/shown-photo.ts'
import type { FormDrafts } from '#form/form-drafts.ts'
import { rememberSentences } from '#form/phrases.tsx'
import { PHRASES } from '#messages/phrases.ts'
import { sheetDraft, visitIn } from '#schemas/resources/visit-key.ts'
import type { Database } from '#data/database/database.ts'
import { requestsOfPlace } from '#data/visits/request-rows.ts'

/** Why the picture or the input of a paper form was not stored. `undrawn`: the browser produced no picture. */
type SheetProblem = MadeProblem | 'undrawn'

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

/** Maximum number of photo keys that are stored with a paper form. A form of the app accepts fewer photos. */
const PICTURES_MAX = 20

/** The state of an open paper form. Each change is stored at once. */
export function useFillingIn(spec: SheetSpec, photos: FormPhotos) {
  const newTexts = useNewTexts(spec)
  const stored = useStoredSheet(spec, photos.draft.target)
  const [own, setOwn] = useState<SheetValues>()
  const { problem, isMaking, store, make } = useSheetPicture(spec, photos)
  const previous = usePreviousSheet(spec, photos)
  const values = own ?? stored ?? { fields: newTexts(), rows: [newTexts(0)], pictures: [] }
  const put = async ({ drafts }: UserData, next: SheetValues) => {
    // `form` is the draft key of the form that opened the paper form. 送信状況 links to that form (入力途中).
    await drafts.keep(sheetKey(spec, photos.draft.target), { ...next, form: photos.draft.key })
    return null
  }
  return {
    values: stored === undefined ? undefined : values,
    /** The values of the last visit to the place, which the user may copy; null once the user has typed something. */
    previous: own || stored ? null : (previous ?? null),
    problem,
    isMaking,
    newRow: () => newTexts(values.rows.length),
    change(next: SheetTexts) {
      const changed = { ...next, pictures: [] }
      setOwn(changed)
      store((data) => put(data, changed))
    },
    make: (facts: SheetPage['facts']): Promise<boolean> =>
      make(values, facts, async (data, picture) => {
        // A failure is ignored: 定型文 then offers only the earlier sentences.
        void rememberOfSheet(data.drafts, spec, values).catch(() => undefined)
        return put(data, { ...values, pictures: [...values.pictures, picture].slice(-PICTURES_MAX) })
      }),
  }
}

/** Returns a function that returns the initial texts of a new row; without an index, of the fields outside rows. */
function useNewTexts(spec: SheetSpec) {
  const { i18n } = useLingui()
  const { session } = useServices()
  const userName = session.get()?.userInfo.loginUserName ?? ''
  return (rowIndex?: number): Record<string, string> => {
    const texts = Object.entries(spec.startOf({ userName }, rowIndex))
    return Object.fromEntries(
      texts.map(([name, text]) => [name, typeof text === 'string' ? text : inJapanese(() => i18n._(text))]),
    )
  }
}

type Texts = Readonly<Record<string, string>>

/** Returns one item for each field with 定型文: an id that is unique in the sheet, the text, and the predefined sentences. */
const longTexts = (fields: readonly SheetField[], typed: Texts, row: string) =>
  fields.flatMap(({ name, phrases }) =>
    phrases ? [[`${name}${row}`, typed[name] ?? '', PHRASES[phrases]] as const] : [],
  )

async function rememberOfSheet(drafts: FormDrafts, spec: SheetSpec, { fields, rows }: SheetTexts) {
  const texts = [
    ...longTexts(spec.fields, fields, ''),
    ...rows.flatMap((row, index) => longTexts(spec.rows.fields, row, `-${index}`)),
  ]
  await rememberSentences(
    drafts,
    Object.fromEntries(texts.map(([id, text]) => [id, text])),
    new Map(texts.map(([id, , phrases]) => [id, phrases])),
  )
}

/** Returns the newest values of another visit to the same place; null without any, or for a form without `isRepeated`. */
function usePreviousSheet(spec: SheetSpec, photos: FormPhotos) {
  const key = sheetKey(spec, photos.draft.target)
  const { requestId } = photos.draft.target
  return useRead(key, async ({ db }) =>
    spec.isRepeated ? previousSheet(db, spec.name, key, requestId) : null,
  )
}

async function previousSheet(db: Database, name: string, key: string, requestId: string) {
  const place = await requestsOfPlace(db, requestId)
  const prefix = sheetDraft(name, '')
  const isOfPlace = (other: string) => {
    const visit = other.startsWith(prefix) ? visitIn(other.slice(prefix.length)) : null
    return other !== key && visit !== null && place.has(visit.requestId)
  }
  const drafts = await db.drafts.find().exec()
  const [newest] = drafts
    .filter((draft) => isOfPlace(draft.key))
    .map((draft) => draft.toMutableJSON(true))
    .toSorted((a, b) => b._meta.lwt - a._meta.lwt)
  return newest ? sheetValuesIn(newest.values) : null
}
