/** What the declarations say of a resource's bodies and rows (decisions/resources), as JSON Schema. */
import {
  ContactType,
  NoteOpenFlag,
  NoteType,
  ParkingType,
  QuickReportType,
  SafetyType,
} from '#schemas/codes.ts'
import { WorkingDateType } from './other-codes.ts'
import type { Declaration, Field, WireKind } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { TextRule } from '#schemas/declare/text-rules.ts'
import {
  code,
  complete,
  date,
  id,
  list,
  object,
  orNull,
  ref,
  refOrNull,
  sentCode,
  sentCodes,
  sentTime,
  text,
  textOrNull,
  time,
  timeOrNull,
  type Schema,
} from './schema.ts'

export type Slug = (typeof declared)[keyof typeof declared]['slug']

const RULES: Readonly<Record<TextRule, string>> = {
  kana: '半角カナ',
  hiragana: 'ひらがな',
  phone: 'ハイフンつきの電話番号',
  email: 'メールアドレス',
  url: 'URL（http、https）',
  zipcode: '郵便番号',
  numeric: '半角数字',
  integer: '整数',
  unsignedDecimal: '0以上の小数',
  decimal: '小数',
  decimal9_1: '小数（整数部9桁、小数部1桁まで）',
  decimal8_2: '小数（整数部8桁、小数部2桁まで）',
  password: '8文字以上',
}

function sentText({ max, required, rule }: Extract<Field, { kind: 'text' }>): Schema {
  const base: Schema = {
    type: 'string',
    maxLength: max,
    ...(rule ? { description: RULES[rule] } : {}),
  }
  return required ? { ...base, minLength: 1 } : orNull(base)
}

/** What is chosen by a tap is always there, like what must be typed. */
const isRequired = (field: Field) => ('required' in field && field.required) || field.from === 'choice'

function sentField(field: Field): Schema {
  switch (field.kind) {
    case 'text':
      return sentText(field)
    case 'code':
      return isRequired(field) ? sentCode(field.table) : orNull(sentCode(field.table))
    case 'codes':
      return sentCodes(field.table)
    case 'time':
      return orNull(sentTime)
  }
}

/** What a body carries beside the content, by its name on the wire. */
const WHOSE: Readonly<Record<string, Schema>> = {
  requestId: id,
  workingDate: date,
  safetyType: sentCode(SafetyType),
  type: sentCode(ContactType),
}
/** `loginUserId` of who sends it (crm-contract 2). */
const who: Record<string, Schema> = { loginUserId: { ...id, description: '送る人の loginUserId' } }

const fieldsOf = ({ fields }: Declaration) => Object.entries<Field>(fields)

/** The content's fields of these names, in the form in which they are sent. */
const sentContent = (declaration: Declaration, ...names: string[]): Record<string, Schema> =>
  Object.fromEntries(
    fieldsOf(declaration).flatMap(([name, field]) =>
      names.includes(name) ? [[name, sentField(field)]] : [],
    ),
  )

/** The body of a creating call or of an edit; null where the resource has no such call of that form. */
export function bodySchema(declaration: Declaration, call: 'create' | 'edit'): Schema | null {
  const sends = declaration.sends[call]
  if (!sends) return null
  const whose = Object.keys(sends)
  const unknown = whose.filter((name) => !WHOSE[name])
  if (unknown.length > 0) throw new Error(`no schema for ${unknown.join(', ')} of ${declaration.slug}`)
  const names = fieldsOf(declaration).map(([name]) => name)
  const required = fieldsOf(declaration).flatMap(([name, field]) => (isRequired(field) ? [name] : []))
  const properties = {
    ...Object.fromEntries(whose.map((name) => [name, WHOSE[name] ?? {}])),
    ...sentContent(declaration, ...names),
    ...who,
  }
  return object(properties, [...whose, ...required])
}

const KINDS: Readonly<Record<WireKind, Schema>> = {
  id,
  text: textOrNull,
  code: code(),
  type: text,
  time: timeOrNull,
  date: orNull(date),
  day: date,
}

function answeredField(field: Field): Schema {
  switch (field.kind) {
    case 'text':
      return textOrNull
    case 'code':
      return code(field.table)
    case 'codes':
      return { ...textOrNull, description: sentCodes(field.table)['description'] }
    case 'time':
      return timeOrNull
  }
}

/** What the contract has in an answer beside what is declared: names of codes, what it hangs on. */
const BESIDE: Readonly<Partial<Record<Slug, Record<string, Schema>>>> = {
  quickReport: {
    workingDateType: code(WorkingDateType),
    request: list(
      object(
        {
          id,
          requestCode: text,
          workingDate: date,
          workingStartTime: timeOrNull,
          workingEndTime: timeOrNull,
          ttsOrder: ref('TtsOrder'),
        },
        ['id'],
      ),
    ),
  },
  emergencyReport: {
    request: orNull(object({ id, requestCode: text, ttsOrder: ref('TtsOrder') }, ['id'])),
  },
  safetyMeasure: {
    safetyType: sentCode(SafetyType),
    type: { ...code(), description: 'safetyType と同じ' },
  },
  customerLocationChangeRequest: {
    parkingType: code(ParkingType),
    customerLocationChangeStatus: code(),
    ttsOrder: refOrNull('TtsOrder'),
  },
  locationContactChangeRequest: { type: code(ContactType), ...who },
  noteLocationArea: { type: code(NoteType), openFlag: code(NoteOpenFlag) },
}

/** A row that the CRM answers. */
export function rowSchema(declaration: Declaration): Schema {
  const names = Object.entries(declaration.names).map(([name, kind]) => ({
    name: name.replace('?', ''),
    required: !name.endsWith('?') && kind !== 'date',
    schema: KINDS[kind],
  }))
  const properties: Record<string, Schema> = {
    id,
    ...Object.fromEntries(names.map(({ name, schema }) => [name, schema])),
    ...Object.fromEntries(
      fieldsOf(declaration).map(([name, field]) => [field.responseName ?? name, answeredField(field)]),
    ),
    ...Object.fromEntries(
      Object.entries(declaration.crmOnlyFields).map(([name, kind]) => [name, KINDS[kind]]),
    ),
    ...Object.fromEntries(Object.values(declaration.codeNames ?? {}).map((name) => [name, textOrNull])),
    ...BESIDE[declaration.slug as Slug],
  }
  if (properties['editStatus'])
    properties['editStatus'] = { ...textOrNull, description: '`NG` なら編集を断る（ec00008）。ほかは `OK`' }
  if (properties['filePath'])
    properties['filePath'] = {
      ...textOrNull,
      description: '写真のフォルダーの id。まだなければ null（I11）',
    }
  const required = names.flatMap(({ name, required: must }) => (must ? [name] : []))
  return object(properties, ['id', ...required])
}

const entry = declared.quickReports
/** The bodies of quick reports, which are their own (crm-contract 4). */
export const quickReportBodies = {
  QuickReportEntry: object(
    {
      requestId: id,
      workingDate: date,
      workingDateType: orNull(sentCode(WorkingDateType)),
      inTime: sentTime,
      ...who,
    },
    ['requestId', 'workingDate', 'inTime'],
  ),
  QuickReportEdit: object({
    ...sentContent(entry, 'inTime', 'outTime', 'type', 'reason1', 'reason2', 'reportContent'),
    type: orNull(sentCode(QuickReportType)),
    ...who,
  }),
  QuickReportExit: object(
    {
      ...sentContent(entry, 'outTime', 'type', 'reason1', 'reason2', 'reportContent'),
      outTime: sentTime,
      quickReports: { ...list(complete({ id })), minItems: 1 },
      ...who,
    },
    ['outTime', 'type', 'quickReports'],
  ),
  QuickReportMade: object({ id, inTime: time }, ['id', 'inTime']),
}
