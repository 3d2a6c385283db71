/** The collections on the device: the TypeScript type of each, and the RxDB schema of its records. */
import type { RecordOf } from './declare.ts'
import type { declared } from './declared.ts'
import type { FormDraft } from './form-draft.ts'
import type { Interest } from './interest.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import type { PhotoRecord } from './photo.ts'
import type { PastReportRecord } from './past-report.ts'
import { pushCollections, type PushCollection } from './push-collections.ts'
import type { RequestRecord } from './request.ts'
import type { SupplierStaffRecord } from './supplier-staff.ts'
import schemas from './rx-schemas.json'
import type { RxSchemaOf } from './to-rx-schema.ts'

type DeclaredRecords = { [C in PushCollection]: RecordOf<(typeof declared)[C]> }

export interface Records extends DeclaredRecords {
  requests: RequestRecord
  pastReports: PastReportRecord
  supplierStaff: SupplierStaffRecord
  ledger: LedgerEntry
  interests: Interest
  photos: PhotoRecord
  drafts: FormDraft
}
export type CollectionName = keyof Records

/** As `rx-schemas.ts` derives them from the records' definitions: TypeScript reads the JSON's texts as `string`. */
export const rxSchemas = schemas as { [C in CollectionName]: RxSchemaOf<Records[C]> }

/** Collections that can hold something the CRM does not have: their writes are flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = [
  ...pushCollections,
  'ledger',
  'photos',
  'drafts',
]
