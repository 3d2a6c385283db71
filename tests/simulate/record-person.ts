/**
 * What people save beside quick reports: the real commands of the screens, one row for each resource. A form is filled with
 * what the device shows, and one or two of its fields are changed.
 */
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { SafetyType } from '#schemas/codes.ts'
import type { EmergencyReportDraft, EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import {
  contactChangeKey,
  type ContactChangeRecord,
} from '#schemas/resources/location-contact-change-request.ts'
import type {
  CustomerLocationDraft,
  CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import { declared } from '#schemas/collections/declared.ts'
import { contentOfDraft } from '#schemas/declare/form-values.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { Saver } from '#data/changes/changes.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import type { CrmRequest } from './model-crm.ts'
import type { Disk, Reader } from './disk.ts'
import type { RecordActionName } from './plan-item.ts'
import { pickOf } from './random.ts'
import { contentOf, touchedOf, type Content } from './record-kinds.ts'
import type { SaveCall } from './save.ts'

export type Saving = (
  touched: SaveCall['touched'],
  run: (saver: Saver, call: SaveCall) => Promise<unknown>,
) => Promise<void>

interface Hands {
  disk: Disk
  reader: Reader
  /** Of these some are new, and some belong to records that are there. */
  request: CrmRequest
  save: Saving
  /** Which thing is done, and which field is changed. */
  variant: number
}

/** As a device may have stored them: how they leave is the engine's affair (RULES WR1). */
const TIMES = { workingStartTime: '2026-11-20T01:00:00.000Z', workingEndTime: '2026-11-20T03:00:00.000Z' }
const WORDS = 'words'

const known = <R extends PushableRecord>(
  { disk, reader }: Hands,
  collection: PushCollection,
  is: (record: PushableRecord) => boolean,
): R[] => disk.of(collection, reader).filter(is) as R[]

/** What a form of it is filled with. */
const shownOf = (collection: PushCollection, record: PushableRecord | null): Content =>
  contentOf(collection, (record && effectiveChanges(record.changes).at(-1)?.fields) ?? record?.server ?? {})

/** What follows the words: what a keyboard leaves behind them, and signs that systems store in another spelling. */
const AFTER_WORDS = [' ', '', '\n', ' 9:00〜17:00', '\n<A&B>\u0007 −5℃', ' 髙橋①👍', 'が\u200B ¥500 \r\nﾊﾟ‖é']

export const typedWords = (words: string, variant: number): string =>
  `${words}${AFTER_WORDS[variant % AFTER_WORDS.length] ?? ''}`

const text = (value: string | null | undefined) => value ?? ''

/** The `n`-th of these, over the content as it is shown: a person changes one thing or none beside the words. */
const oneOf = (shown: Content, variant: number, ...fields: string[]): Record<string, string> => {
  const name = fields[variant % (fields.length + 1)]
  return name === undefined ? {} : { [name]: `${(Number(shown[name] ?? 0) % 6) + 1}` }
}

async function note(hands: Hands): Promise<void> {
  const { request, save, variant } = hands
  const own = known<NoteRecord>(hands, 'noteLocationAreas', ({ requestId }) => requestId === request.id)
  const record = variant % 2 === 0 ? null : (pickOf(own, (variant % 7) / 7) ?? null)
  await save(['note'], (saver, { tag }) =>
    saveNote(saver, { id: request.id, locationAreaId: 'area' }, { note: typedWords(tag, variant) }, record),
  )
}

async function emergency(hands: Hands): Promise<void> {
  const { request, save, variant } = hands
  const own = known<EmergencyReportRecord>(
    hands,
    'emergencyReports',
    ({ requestId }) => requestId === request.id,
  )
  const record = variant % 2 === 0 ? null : (pickOf(own, (variant % 7) / 7) ?? null)
  const shown = shownOf('emergencyReports', record)
  const chosen = { correspondenceDate: text(shown['correspondenceDate']) || '1', ttsStaffContact: '1' }
  const codes = (name: string) => (shown[name] ?? '1,2').split(',')
  const draft = (details: string) =>
    ({
      ...chosen,
      ttsStaffContact: text(shown['ttsStaffContact']) || '1',
      ...oneOf(shown, variant, 'correspondenceDate', 'ttsStaffContact'),
      emergencyContents: variant % 5 === 0 ? ['3'] : codes('emergencyContents'),
      risk: codes('risk'),
      emergencyContentsDetails: details,
    }) as EmergencyReportDraft
  const times = record
    ? { workingStartTime: shown['workingStartTime'], workingEndTime: shown['workingEndTime'] }
    : TIMES
  const saved = contentOf('emergencyReports', { ...draft(WORDS), ...times })
  await save(touchedOf('emergencyReports', shown, saved), (saver, { tag }) => {
    const key = saver.newId()
    return saveEmergencyReport(
      { ...saver, newId: () => key },
      { ...request, ...TIMES },
      draft(typedWords(tag, variant)),
      record,
      key,
    )
  })
}

async function safety({ request, save, variant }: Hands): Promise<void> {
  const { code } = pickOf(SafetyType.options, (variant % 5) / 5) ?? { code: '1' as const }
  await save([], (saver) => saveSafetyMeasure(saver, { ...request, ...TIMES }, code, variant % 2 ? '1' : '2'))
}

async function parking(hands: Hands): Promise<void> {
  const { request, save, variant } = hands
  const collection = 'customerLocationChangeRequests'
  const [record = null] = known<CustomerLocationRecord>(hands, collection, ({ key }) => key === request.id)
  const shown = shownOf(collection, record)
  const draft = (words: string) =>
    ({
      parkingType: text(shown['parkingType']),
      parkingMethod: text(shown['parkingMethod']),
      ...oneOf(shown, variant, 'parkingType', 'parkingMethod'),
      inMethod: words,
    }) as CustomerLocationDraft
  const touched = touchedOf(
    collection,
    shown,
    contentOf(collection, contentOfDraft(declared[collection], draft(WORDS))),
  )
  await save(touched, (saver, { tag }) =>
    saveCustomerLocation(saver, request.id, draft(typedWords(tag, variant)), record),
  )
}

async function contact(hands: Hands): Promise<void> {
  const { request, save, variant } = hands
  const collection = 'locationContactChangeRequests'
  const type = variant % 2 ? '02' : '03'
  const is = ({ key }: PushableRecord) => key === contactChangeKey(request.id, type)
  const [record = null] = known<ContactChangeRecord>(hands, collection, is)
  const shown = shownOf(collection, record)
  const names = ['kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1'] as const
  const filledIn = Object.fromEntries(names.map((name) => [name, text(shown[name])])) as Record<
    (typeof names)[number],
    string
  >
  // what the form asks for besides the name: without it the CRM refuses
  const asked = { kana: filledIn.kana || 'ﾔﾏﾀﾞ', tel1: filledIn.tel1 || '03-1234-5678' }
  const tel = variant % 3 === 1 ? { tel1: `03-1234-567${variant % 7}` } : {}
  const draft = (name: string) => ({
    ...filledIn,
    ...asked,
    ...oneOf(shown, variant, 'section'),
    ...tel,
    name,
  })
  const touched = touchedOf(
    collection,
    shown,
    contentOf(collection, contentOfDraft(declared[collection], draft(WORDS))),
  )
  await save(touched, (saver, { tag }) =>
    saveContactChange(saver, request.id, type, draft(typedWords(tag, variant)), record),
  )
}

const acts: Record<RecordActionName, (hands: Hands) => Promise<void>> = {
  note,
  emergency,
  safety,
  parking,
  contact,
}

export const isRecordAct = (act: string): act is RecordActionName => act in acts
export const recordAct = (act: RecordActionName, hands: Hands): Promise<void> => acts[act](hands)
