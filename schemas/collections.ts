/** The collections on the device: the RxDB schema of each record, and the TypeScript type of each collection. */
import { interest, type Interest } from './interest.ts'
import { ledgerEntry, type LedgerEntry } from './ledger-entry.ts'
import { photoRecord, type PhotoRecord } from './photo.ts'
import { pushCollections } from './push-collections.ts'
import { quickReportRecord, type QuickReportRecord } from './quick-report.ts'
import { requestRecord, type RequestRecord } from './request.ts'
import { toRxSchema } from './to-rx-schema.ts'

export interface Records {
  requests: RequestRecord
  quickReports: QuickReportRecord
  ledger: LedgerEntry
  interests: Interest
  photos: PhotoRecord
}
export type CollectionName = keyof Records

export const rxSchemas = {
  requests: toRxSchema<RequestRecord>(requestRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['sortKey', 'workingDate', ['id', 'workingDate']],
  }),
  quickReports: toRxSchema<QuickReportRecord>(quickReportRecord, {
    version: 0,
    primaryKey: 'key',
    indexes: ['unsent', 'serverId', 'workingDate'],
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
}

/** Collections that can hold something the CRM does not have: their writes are flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = [...pushCollections, 'ledger', 'photos']
