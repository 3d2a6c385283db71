/** The collections on the device: the TypeScript type of each, and the RxDB schema of its records. */
import type { CustomerLocationRecord } from './customer-location-change-request.ts'
import type { EmergencyReportRecord } from './emergency-report.ts'
import type { PhotoRecord } from './photo.ts'
import type { ContactChangeRecord } from './location-contact-change-request.ts'
import type { NoteRecord } from './note-location-area.ts'
import { pushCollections } from './push-collections.ts'
import type { QuickReportRecord } from './quick-report.ts'
import type { RequestRecord } from './request.ts'
import type { SafetyMeasureRecord } from './safety-measure.ts'
import schemas from './rx-schemas.json'
import type { SharedRow } from './shared.ts'
import type { RxSchemaOf } from './to-rx-schema.ts'

export interface Records {
  requests: RequestRecord
  quickReports: QuickReportRecord
  emergencyReports: EmergencyReportRecord
  safetyMeasures: SafetyMeasureRecord
  customerLocationChangeRequests: CustomerLocationRecord
  locationContactChangeRequests: ContactChangeRecord
  noteLocationAreas: NoteRecord
  photos: PhotoRecord
  /** Kinds that need no collection to themselves (`shared.ts`). */
  own: SharedRow
  lookups: SharedRow
}
export type CollectionName = keyof Records

/** As `rx-schemas.ts` derives them from the records' definitions: TypeScript reads the JSON's texts as `string`. */
export const rxSchemas = schemas as unknown as { [C in CollectionName]: RxSchemaOf<Records[C]> }

/** Collections that can hold something the CRM does not have: their writes are flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = [...pushCollections, 'photos', 'own']
