/** The collections on the device: the TypeScript type of each, and the RxDB schema of its records. */
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

/** Records that travel, as they are seen: with what was saved here. */
export type RecordViews = { [C in PushCollection]: RecordOf<(typeof declared)[C]> }

/** What is stored. */
export interface Records extends DeclaredRecords {
  requests: RequestRecord
  /** What was saved here, on its way to the CRM. */
  changes: Change
  photos: PhotoRecord
  /** Kinds that need no collection to themselves (`shared.ts`). */
  own: SharedRow
  lookups: SharedRow
}
export type CollectionName = keyof Records

/** As `rx-schemas.ts` derives them from the records' definitions: TypeScript reads the JSON's texts as `string`. */
export const rxSchemas = schemas as { [C in CollectionName]: RxSchemaOf<Records[C]> }

/** Collections that can hold something the CRM does not have: their writes are flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = ['changes', 'photos', 'own']

/** What goes along wherever rows are moved: these, and the records that unsent changes and photos belong to. */
export const movedCollections: readonly CollectionName[] = [...pushCollections, ...durableCollections]
