/** The paper forms of a visit. Each is a draft: encrypted, removed after the visit. Only its picture is sent. */
import { msg } from '@lingui/core/macro'
import { SafetyType } from '#schemas/codes.ts'
import { sheetDraft, visitKey } from '#schemas/resources/visit-key.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { draft$ } from '#data/drafts/drafts.ts'
import type { DraftTarget } from '#data/drafts/save-draft.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import {
  fieldProblem,
  sheetValuesIn,
  type SheetSpec,
  type SheetTexts,
  type SheetValues,
} from './sheet-spec.ts'

/** Limits of article 2: with less oxygen in percent, or more hydrogen sulphide in ppm, everybody must leave. */
const OXYGEN_LEAST = 18
const SULFIDE_MOST = 10

const isLow = (text = '') => text !== '' && Number(text) < OXYGEN_LEAST
const isHigh = (text = '') => text !== '' && Number(text) > SULFIDE_MOST

/** Names of the first three measuring points, from the top of a pit to its bottom. */
const PLACES = [msg`上部`, msg`中部`, msg`下部`]

/** Types of safety measure that require a measurement before anybody enters. */
export const MEASURED_TYPES: readonly string[] = [SafetyType.code.oxygen, SafetyType.code.underPit]

/** Article 3 of 酸素欠乏症等防止規則 requires these fields, in this order. */
export const gasSheet: SheetSpec = {
  name: 'gas',
  heading: msg`酸素・硫化水素濃度測定記録`,
  fileName: '酸素・硫化水素濃度測定記録.jpg',
  rows: {
    label: msg`測定点`,
    add: msg`測定点を追加`,
    most: 20,
    fields: [
      { name: 'place', label: msg`測定場所`, kind: 'line', max: 120 },
      { name: 'oxygen', label: msg`酸素（%）`, kind: 'number', max: 100 },
      { name: 'sulfide', label: msg`硫化水素（ppm）`, kind: 'number', max: 9999 },
      { name: 'at', label: msg`測定日時`, kind: 'now', max: 40, isOptional: true },
    ],
  },
  fields: [
    { name: 'method', label: msg`測定方法`, kind: 'line', max: 120 },
    {
      name: 'condition',
      label: msg`測定条件`,
      kind: 'choice',
      max: 40,
      options: [msg`換気前`, msg`換気中`, msg`換気後`],
    },
    {
      name: 'conditions',
      label: msg`そのほかの測定条件`,
      kind: 'lines',
      max: 300,
      isOptional: true,
      phrases: 'condition',
    },
    { name: 'measurer', label: msg`測定者`, kind: 'line', max: 120 },
    { name: 'action', label: msg`講じた措置`, kind: 'lines', max: 300, isOptional: true, phrases: 'action' },
  ],
  startOf({ userName }, rowIndex) {
    if (rowIndex === undefined) return { method: msg`酸素・硫化水素濃度計`, measurer: userName }
    const place = PLACES[rowIndex]
    return place ? { place } : {}
  },
  stopsIn: ({ rows }) => [
    ...(rows.some(({ oxygen }) => isLow(oxygen)) ? [msg`酸素が18%未満の測定点があります。`] : []),
    ...(rows.some(({ sulfide }) => isHigh(sulfide)) ? [msg`硫化水素が10ppmを超える測定点があります。`] : []),
  ],
  isRepeated: false,
}

/** Returns the valid numbers of all measuring points, and the first and last time of measurement. */
export function measuredIn({ rows }: Pick<SheetTexts, 'rows'>) {
  const validTexts = (name: string) => {
    const field = gasSheet.rows.fields.find((each) => each.name === name)
    const texts = rows.map((row) => row[name] ?? '')
    return field ? texts.filter((text) => !fieldProblem(field, text)) : []
  }
  const [oxygen, sulfide] = [validTexts('oxygen').map(Number), validTexts('sulfide').map(Number)]
  return { oxygen, sulfide, times: validTexts('at').filter(Boolean).toSorted() }
}

export const kySheet: SheetSpec = {
  name: 'ky',
  heading: msg`KY活動表`,
  fileName: 'KY活動表.jpg',
  rows: {
    label: msg`危険`,
    add: msg`危険を追加`,
    most: 10,
    fields: [
      { name: 'danger', label: msg`危険のポイント`, kind: 'lines', max: 200, phrases: 'danger' },
      { name: 'measure', label: msg`対策`, kind: 'lines', max: 200, phrases: 'measure' },
    ],
  },
  fields: [
    { name: 'leader', label: msg`リーダー`, kind: 'line', max: 120 },
    { name: 'members', label: msg`参加者`, kind: 'lines', max: 600 },
  ],
  startOf: ({ userName }, rowIndex) =>
    rowIndex === undefined ? { leader: userName, members: userName } : {},
  stopsIn: () => [],
  isRepeated: true,
}

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
