/** The collections on the device, with their TypeScript types and RxDB schemas. */
import type { Change } from '#schemas/change.ts'
import type { RecordOf, StoredOf } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { pushCollections, type PushCollection } from './push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import schemas from './rx-schemas.json'
import type { SharedRow } from './shared.ts'

type DeclaredRecords = { [C in PushCollection]: StoredOf<(typeof declared)[C]> }

/** The records of the collections that are sent to the CRM, with their local changes (`record-view.ts`). */
export type RecordViews = { [C in PushCollection]: RecordOf<(typeof declared)[C]> }

export interface Records extends DeclaredRecords {
  requests: RequestRecord
  /** An accepted change stays until a read of the CRM contains its result. */
  changes: Change
  photos: PhotoRecord
  /** `own` and `lookups` each contain several kinds of rows (`shared.ts`). */
  own: SharedRow
  lookups: SharedRow
}
export type CollectionName = keyof Records

type Index<T> = Extract<keyof T, string> | Extract<keyof T, string>[]

/** The part of RxDB's `RxJsonSchema` that is used here, because `schemas/` does not import rxdb. */
export interface RxSchemaOf<T> {
  version: number
  primaryKey: Extract<keyof T, string>
  type: 'object'
  properties: Record<string, unknown>
  required: string[]
  indexes: Index<T>[]
  additionalProperties: false
  /** The schemas of the kinds in a shared collection, each with the kind's name as `title`. */
  anyOf?: Record<string, unknown>[]
}

/** The generated schemas (`.build/rx-schemas.ts`). The cast is needed because TypeScript widens strings in JSON files. */
export const rxSchemas = schemas as { [C in CollectionName]: RxSchemaOf<Records[C]> }

/** Collections with data that the CRM may not have. Each write is flushed to disk (sync RULES SV1). */
export const durableCollections: readonly CollectionName[] = ['changes', 'photos', 'own']

/** Collections that are copied when data moves to another database: also the records of unsent changes. */
export const movedCollections: readonly CollectionName[] = [...pushCollections, ...durableCollections]
