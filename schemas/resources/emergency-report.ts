/** Emergency reports. A request can have any number (spec 3, crm-contract 4). */
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from '#schemas/codes.ts'
import type { Declaration, DraftOf, RecordOf } from '#schemas/declare/declare.ts'
import { EMERGENCY_DETAILS_MAX } from '#schemas/limits.ts'

/** The record's key is the id of the creating change, or the CRM's id of a pulled record. */
export const emergencyReport = {
  slug: 'emergencyReport',
  path: 'emergencyReport',
  fields: {
    workingStartTime: { kind: 'time', from: 'visit', fixed: true },
    workingEndTime: { kind: 'time', from: 'visit', fixed: true },
    emergencyContents: { kind: 'codes', table: EmergencyContents, required: true },
    risk: { kind: 'codes', table: Risk, required: true },
    correspondenceDate: { kind: 'code', table: CorrespondenceDate, required: true },
    ttsStaffContact: { kind: 'code', table: StaffContact, required: true },
    emergencyContentsDetails: { kind: 'text', max: EMERGENCY_DETAILS_MAX, required: true },
  },
  crmOnlyFields: {
    editStatus: 'text',
    createdAt: 'time',
    // Id of the folder with the photos. Without an id, the folder is found by `name` in the parent folder
    // `emergencyReportFolderId` (crm-contract 5).
    filePath: 'text',
    name: 'text',
    emergencyReportFolderId: 'text',
  },
  codeNames: {
    emergencyContents: 'emergencyContentsName',
    risk: 'riskName',
    correspondenceDate: 'correspondenceDateName',
    ttsStaffContact: 'ttsStaffContactName',
  },
  names: { requestId: 'id', 'workingDate?': 'date' },
  own: {},
  kinds: ['create', 'edit'],
  sends: {
    create: { requestId: 'requestId', workingDate: 'workingDate' },
    edit: { requestId: 'requestId', workingDate: 'workingDate' },
  },
  identity: { required: ['requestId'], ifReturned: ['workingDate'], content: 'all' },
  refusesSecond: false,
  owner: 'requestId',
  list: 'of-request',
  together: [],
  editedByOthers: true,
  offline: { add: 'works', edit: 'works' },
  indexes: ['serverId', 'requestId'],
} as const satisfies Declaration

export type EmergencyReportRecord = RecordOf<typeof emergencyReport>
export type EmergencyReportDraft = DraftOf<typeof emergencyReport>
