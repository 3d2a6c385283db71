/**
 * Derives the RxDB schema of each collection from its ArkType definition. The app itself loads the generated
 * rx-schemas.json, because starting ArkType takes more than a second on a slow phone (decisions/speed). `npm run
 * schemas` writes the file, and a test checks it. Before a schema is changed, `npm run schemas -- --bump <collection>`
 * must be run, because phones have stored documents of the old schema (decisions/updates).
 */
import type { Type } from 'arktype'
import { changeDocument, type Change, type StoredRecord } from '#schemas/change.ts'
import type { Declaration } from '#schemas/declare/declare.ts'
import { declared } from './declared.ts'
import { recordOf } from '#schemas/declare/derive.ts'
import { formDraft } from '#schemas/device/form-draft.ts'
import { interest } from '#schemas/device/interest.ts'
import { photoRecord } from '#schemas/resources/photo.ts'
import { pastReportRecord } from '#schemas/resources/past-report.ts'
import type { PushCollection } from './push-collections.ts'
import { requestRecord } from '#schemas/resources/request.ts'
import { supplierStaffRecord } from '#schemas/resources/supplier-staff.ts'
import {
  ROW_KEY_MAX,
  type KindRecords,
  type sharedKinds,
  type SharedCollection,
  type SharedKind,
} from './shared.ts'
import { toRxSchema, toSharedSchema, type RxSchemaOf } from './to-rx-schema.ts'
import { versionOf } from './versions.ts'

const declaredSchema = (collection: PushCollection) => {
  const declaration: Declaration = declared[collection]
  return toRxSchema<StoredRecord>(recordOf(declaration), {
    version: versionOf(collection),
    primaryKey: 'key',
    indexes: [...declaration.indexes] as 'key'[],
  })
}

/**
 * Schema of a shared collection.
 * @param kinds the kinds that `shared.ts` assigns to the collection, checked by the compiler
 */
const sharedSchema = <C extends SharedCollection>(
  name: C,
  kinds: { [K in SharedKind as (typeof sharedKinds)[K]['in'] extends C ? K : never]: Type<KindRecords[K]> },
) => toSharedSchema(kinds, { version: versionOf(name), keyMax: ROW_KEY_MAX })

// `pushCollections` cannot be used here, because it is read from a file that `npm run schemas` generates.
const declaredSchemas = Object.fromEntries(
  Object.keys(declared).map((collection) => [collection, declaredSchema(collection as PushCollection)]),
) as Record<PushCollection, RxSchemaOf<StoredRecord>>

export const derivedSchemas = {
  requests: toRxSchema(requestRecord, {
    version: versionOf('requests'),
    primaryKey: 'key',
    // The pull uses these indexes to find rows that expire or have to be read.
    indexes: ['sortKey', 'workingDate', ['id', 'workingDate'], 'confirmedAt', 'detailConfirmedAt'],
  }),
  ...declaredSchemas,
  // The cast is needed because ArkType infers another type for fields that two parents declare.
  changes: toRxSchema<Change>(changeDocument as unknown as Type<Change>, {
    version: versionOf('changes'),
    primaryKey: 'id',
    indexes: ['recordKey', 'state'],
  }),
  photos: toRxSchema(photoRecord, {
    version: versionOf('photos'),
    primaryKey: 'key',
    indexes: ['unsent', 'recordKey', 'bytesAsked', 'stamp'],
  }),
  own: sharedSchema('own', { drafts: formDraft }),
  lookups: sharedSchema('lookups', {
    interests: interest,
    pastReports: pastReportRecord,
    supplierStaff: supplierStaffRecord,
  }),
}
