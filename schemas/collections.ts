/** The collections on the device: the RxDB schema of each record, and the TypeScript type of each collection. */
import { customerLocationRecord, type CustomerLocationRecord } from './customer-location-change-request.ts'
import { emergencyReportRecord, type EmergencyReportRecord } from './emergency-report.ts'
import { formDraft, type FormDraft } from './form-draft.ts'
import { interest, type Interest } from './interest.ts'
import { ledgerEntry, type LedgerEntry } from './ledger-entry.ts'
import { photoRecord, type PhotoRecord } from './photo.ts'
import { contactChangeRecord, type ContactChangeRecord } from './location-contact-change-request.ts'
import { noteRecord, type NoteRecord } from './note-location-area.ts'
import { pastReportRecord, type PastReportRecord } from './past-report.ts'
import { pushCollections } from './push-collections.ts'
import { quickReportRecord, type QuickReportRecord } from './quick-report.ts'
import { requestRecord, type RequestRecord } from './request.ts'
import { safetyMeasureRecord, type SafetyMeasureRecord } from './safety-measure.ts'
import { supplierStaffRecord, type SupplierStaffRecord } from './supplier-staff.ts'
import { toRxSchema } from './to-rx-schema.ts'

export interface Records {
  requests: RequestRecord
  quickReports: QuickReportRecord
  emergencyReports: EmergencyReportRecord
  safetyMeasures: SafetyMeasureRecord
  customerLocationChangeRequests: CustomerLocationRecord
  locationContactChangeRequests: ContactChangeRecord
  noteLocationAreas: NoteRecord
  pastReports: PastReportRecord
  supplierStaff: SupplierStaffRecord
  ledger: LedgerEntry
  interests: Interest
  photos: PhotoRecord
  drafts: FormDraft
}
export type CollectionName = keyof Records

export const rxSchemas = {
  requests: toRxSchema<RequestRecord>(requestRecord, {
    version: 0,
    primaryKey: 'key',
    // the pull's: what expires, what is to be read; nothing asks by `readStamp` any more, it goes with the next version
    indexes: [
      'sortKey',
      'workingDate',
      ['id', 'workingDate'],
      'confirmedAt',
      'detailConfirmedAt',
      'readStamp',
    ],
  }),
  quickReports: toRxSchema<QuickReportRecord>(quickReportRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'workingDate'],
  }),
  emergencyReports: toRxSchema<EmergencyReportRecord>(emergencyReportRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  safetyMeasures: toRxSchema<SafetyMeasureRecord>(safetyMeasureRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  customerLocationChangeRequests: toRxSchema<CustomerLocationRecord>(customerLocationRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  locationContactChangeRequests: toRxSchema<ContactChangeRecord>(contactChangeRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  noteLocationAreas: toRxSchema<NoteRecord>(noteRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'locationAreaId'],
  }),
  pastReports: toRxSchema<PastReportRecord>(pastReportRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['deviceId'],
  }),
  supplierStaff: toRxSchema<SupplierStaffRecord>(supplierStaffRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['supplierId'],
  }),
  ledger: toRxSchema<LedgerEntry>(ledgerEntry, {
    version: 0,
    primaryKey: 'id',
    indexes: ['state', 'stamp', 'wish'],
  }),
  interests: toRxSchema<Interest>(interest, { version: 0, primaryKey: 'key', indexes: ['state'] }),
  photos: toRxSchema<PhotoRecord>(photoRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'recordKey', 'bytesAsked'],
  }),
  drafts: toRxSchema<FormDraft>(formDraft, { version: 0, primaryKey: 'key' }),
}

/** Collections that can hold something the CRM does not have: their writes are flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = [
  ...pushCollections,
  'ledger',
  'photos',
  'drafts',
]
