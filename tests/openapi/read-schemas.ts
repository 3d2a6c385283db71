/** What is only read, and who calls: requests, past reports, staff, tokens, the file store (crm-contract 4, 5). */
import {
  EmergencyFlag,
  NotificationDistribution,
  OrderFlag,
  ParkingType,
  PitDepth,
  PitTraffic,
  QuickReportType,
  RegistrationStatus,
  SafetyDirection,
  SafetyStatus,
  UserFlag,
} from '#schemas/codes.ts'
import { PitHatch, PitSite, PitStepladder, WorkingDateType } from './other-codes.ts'
import {
  code,
  complete,
  date,
  id,
  integer,
  list,
  object,
  orNull,
  ref,
  refOrNull,
  text,
  textOrNull,
  timeOrNull,
  type Schema,
} from './schema.ts'

const texts = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, textOrNull]))
const times = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, timeOrNull]))

const userFlag: Schema = {
  ...integer,
  minimum: 0,
  maximum: 9,
  description: UserFlag.options.map(({ code: flag, label }) => `\`${flag}\` ${label}`).join('、'),
}
const change = orNull(complete({ id }))
const registration = code(RegistrationStatus)

const requests: Record<string, Schema> = {
  TtsOrder: object(
    {
      orderFlag: code(OrderFlag),
      emergencyFlag: code(EmergencyFlag),
      parkingType: code(ParkingType),
      ...texts('parkingMethod', 'inMethod'),
      locationArea: object({ id, name: textOrNull, noteLocationArea: list({}) }, ['id']),
      customer: object(texts('name', 'prefectureName', 'city', 'address1', 'address2')),
      salesMearge: object(texts('name')),
    },
    ['orderFlag', 'locationArea'],
  ),
  Contact: object(texts('name', 'kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1')),
  Goods: object({
    id,
    name: textOrNull,
    goodsDetail: list(object({ id, ...texts('itemName', 'quantity', 'model') })),
  }),
  Device: object({ deviceId: id, ...texts('deviceModel', 'site1', 'site2') }, ['deviceId']),
  UnderPitSurvey: object({
    site: code(PitSite),
    depth: code(PitDepth),
    traffic: code(PitTraffic),
    hatch: code(PitHatch),
    stepladder: code(PitStepladder),
    observer: code(),
    guide: code(),
  }),
  QuickReportSummary: object(
    { id, ...times('inTime', 'outTime'), type: code(QuickReportType), editStatus: textOrNull },
    ['id'],
  ),
}

const rowProperties: Record<string, Schema> = {
  id,
  requestCode: { ...text, minLength: 1 },
  workingDate: date,
  workingDateType: code(WorkingDateType),
  ...times('workingStartTime', 'workingEndTime', 'noWaterStartTime', 'noWaterEndTime'),
  notificationDistributionDate: orNull(date),
  notificationDistributionName: code(NotificationDistribution),
  ...texts('situation', 'messageTts'),
  inLocationContact: refOrNull('Contact'),
  outLocationContact: refOrNull('Contact'),
  customerLocationChangeStatus: registration,
  customerLocationChangeRequest: change,
  inLocationContactChangeStatus: registration,
  inLocationContactChangeRequest: change,
  outLocationContactChangeStatus: registration,
  outLocationContactChangeRequest: change,
  noteLocationAreaStatus: registration,
  noteLocationAreaCount: orNull(integer),
  safetyStatus: code(SafetyStatus),
  safetyDirection: orNull({ ...list(text), description: code(SafetyDirection)['description'] }),
  safetyDirectionName: textOrNull,
  emergencyReportFolderId: textOrNull,
  ttsOrder: ref('TtsOrder'),
  quickReport: refOrNull('QuickReportSummary'),
}
const wholeProperties: Record<string, Schema> = {
  goods: orNull(list(ref('Goods'))),
  device: orNull(list(ref('Device'))),
  safety: orNull(list(ref('SafetyMeasure'))),
  underPitSurvey: orNull(list(ref('UnderPitSurvey'))),
  report: orNull(list(ref('PastReport'))),
}
const ROW_MUST = ['id', 'requestCode', 'workingDate', 'workingDateType', 'ttsOrder']

const people: Record<string, Schema> = {
  UserInfo: object(
    { id, supplierStaffId: orNull(id), supplierId: orNull(id), userFlag, loginUserName: textOrNull },
    ['id', 'userFlag'],
  ),
  TokenPair: complete({ accessToken: { ...text, minLength: 1 }, refreshToken: { ...text, minLength: 1 } }),
  Login: complete({
    accessToken: { ...text, minLength: 1 },
    refreshToken: { ...text, minLength: 1 },
    userInfo: ref('UserInfo'),
  }),
  SupplierStaff: complete({ id, name: text, supplierId: id, userFlag }),
}

const seq: Schema = { type: ['string', 'integer'] }
const success: Schema = { type: 'boolean', const: true }
const fileStore: Record<string, Schema> = {
  FileToken: complete({
    access_token: { ...text, minLength: 1 },
    expire: { ...integer, description: 'エポック秒' },
  }),
  Done: complete({ success }),
  Failed: object({ success: { type: 'boolean', const: false }, message: text }, ['success']),
  Folder: complete({ success, node: complete({ id, name: text }) }),
  Folders: complete({ success, lists: list(complete({ id, name: text })) }),
  Uploaded: complete({ success, file_seq: seq, name: text }),
  Files: complete({ success, lists: list(complete({ file_seq: seq, name: text })) }),
  Download: complete({ download_url: { ...text, minLength: 1 }, file_seq: seq, name: text }),
  Viewer: complete({ viewer_url: { ...text, minLength: 1 } }),
}

export const readSchemas: Record<string, Schema> = {
  ...people,
  ...requests,
  RequestRow: object({ ...rowProperties, ...wholeProperties }, ROW_MUST),
  Request: object({ ...rowProperties, ...wholeProperties }, [...ROW_MUST, 'goods', 'device', 'safety']),
  PastReport: object(
    {
      id,
      workingDate: date,
      ...times('workingStartTime', 'workingEndTime'),
      ...texts('reportCatName', 'supplierName', 'supplierStaffName', 'requestDetail', 'specialComment'),
      emergencyReport: orNull(
        list(
          object(
            texts(
              'id',
              'emergencyContentsName',
              'emergencyContentsDetails',
              'riskName',
              'correspondenceDateName',
              'ttsStaffContactName',
            ),
          ),
        ),
      ),
    },
    ['id', 'workingDate'],
  ),
  ...fileStore,
}
