/** The collections on the device: each one's TypeScript type and RxDB schema. */
import type { Change } from '#schemas/change.ts'
import type { RecordOf, StoredOf } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { pushCollections, type PushCollection } from './push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import schemas from './rx-schemas.json'
import type { SharedRow } from './shared.ts'
import type { RxSchemaOf } from './to-rx-schema.ts'

type DeclaredRecords = { [C in PushCollection]: StoredOf<(typeof declared)[C]> }

/** The views of the pushed collections (`record-view.ts`). */
export type RecordViews = { [C in PushCollection]: RecordOf<(typeof declared)[C]> }

/** The stored documents of each collection. */
export interface Records extends DeclaredRecords {
  requests: RequestRecord
  /** What was saved on this device, until a read of the CRM shows it. */
  changes: Change
  photos: PhotoRecord
  /** Shared collections, each with several kinds (`shared.ts`). */
  own: SharedRow
  lookups: SharedRow
}
export type CollectionName = keyof Records

/**
 * The generated schemas (`rx-schemas.ts`). The cast is needed because TypeScript types strings in JSON as
 * `string`.
 */
export const rxSchemas = schemas as { [C in CollectionName]: RxSchemaOf<Records[C]> }

/** Collections with data that the CRM may not have. Their writes are flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = ['changes', 'photos', 'own']

/** Collections that are copied when the data is moved: the durable ones, and the records of unsent changes. */
export const movedCollections: readonly CollectionName[] = [...pushCollections, ...durableCollections]
