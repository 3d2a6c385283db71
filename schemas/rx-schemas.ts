/**
 * The RxDB schema of each collection, derived from the ArkType definition of its record. What the app opens its database
 * with is this, written down (rx-schemas.json): ArkType takes a slow phone over a second to start, and the list would wait
 * for it (decision 0028). `npm run schemas` writes it anew; a test holds the two equal. What is changed here is stored on phones:
 * `npm run schemas -- --bump <collection>` comes first (decision 0060).
 */
import { customerLocationRecord } from './customer-location-change-request.ts'
import { emergencyReportRecord } from './emergency-report.ts'
import { formDraft } from './form-draft.ts'
import { interest } from './interest.ts'
import { ledgerEntry } from './ledger-entry.ts'
import { photoRecord } from './photo.ts'
import { contactChangeRecord } from './location-contact-change-request.ts'
import { noteRecord } from './note-location-area.ts'
import { pastReportRecord } from './past-report.ts'
import { quickReportRecord } from './quick-report.ts'
import { requestRecord } from './request.ts'
import { safetyMeasureRecord } from './safety-measure.ts'
import { supplierStaffRecord } from './supplier-staff.ts'
import { toRxSchema } from './to-rx-schema.ts'
import { versions } from './versions.ts'

export const derivedSchemas = {
  requests: toRxSchema(requestRecord, {
    version: versions.requests,
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
  quickReports: toRxSchema(quickReportRecord, {
    version: versions.quickReports,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'workingDate'],
  }),
  emergencyReports: toRxSchema(emergencyReportRecord, {
    version: versions.emergencyReports,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  safetyMeasures: toRxSchema(safetyMeasureRecord, {
    version: versions.safetyMeasures,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  customerLocationChangeRequests: toRxSchema(customerLocationRecord, {
    version: versions.customerLocationChangeRequests,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  locationContactChangeRequests: toRxSchema(contactChangeRecord, {
    version: versions.locationContactChangeRequests,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'requestId'],
  }),
  noteLocationAreas: toRxSchema(noteRecord, {
    version: versions.noteLocationAreas,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'locationAreaId'],
  }),
  pastReports: toRxSchema(pastReportRecord, {
    version: versions.pastReports,
    primaryKey: 'key',
    indexes: ['deviceId'],
  }),
  supplierStaff: toRxSchema(supplierStaffRecord, {
    version: versions.supplierStaff,
    primaryKey: 'key',
    indexes: ['supplierId'],
  }),
  ledger: toRxSchema(ledgerEntry, {
    version: versions.ledger,
    primaryKey: 'id',
    indexes: ['state', 'stamp', 'wish'],
  }),
  interests: toRxSchema(interest, { version: versions.interests, primaryKey: 'key', indexes: ['state'] }),
  photos: toRxSchema(photoRecord, {
    version: versions.photos,
    primaryKey: 'key',
    indexes: ['unsent', 'recordKey', 'bytesAsked'],
  }),
  drafts: toRxSchema(formDraft, { version: versions.drafts, primaryKey: 'key' }),
}
