/**
 * The RxDB schema of each collection, derived from its ArkType definition. The app loads the result from
 * rx-schemas.json, because ArkType takes over a second to start on a slow phone and would delay the list
 * (decisions/speed). `npm run schemas` writes that file, and a test checks it. A change here changes what is
 * stored on phones, so it starts with `npm run schemas -- --bump <collection>` (decisions/updates).
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
 * @param kinds exactly the kinds that `shared.ts` assigns to it, which the compiler checks
 */
const sharedSchema = <C extends SharedCollection>(
  name: C,
  kinds: { [K in SharedKind as (typeof sharedKinds)[K]['in'] extends C ? K : never]: Type<KindRecords[K]> },
) => toSharedSchema(kinds, { version: versionOf(name), keyMax: ROW_KEY_MAX })

// This loop reads the declarations and not `pushCollections`, because that list comes from a generated file.
const declaredSchemas = Object.fromEntries(
  Object.keys(declared).map((collection) => [collection, declaredSchema(collection as PushCollection)]),
) as Record<PushCollection, RxSchemaOf<StoredRecord>>

export const derivedSchemas = {
  requests: toRxSchema(requestRecord, {
    version: versionOf('requests'),
    primaryKey: 'key',
    // The pull uses these indexes to find rows that expire or have to be read. Nothing uses the index `readStamp`; the
    // next version of the schema removes it.
    indexes: [
      'sortKey',
      'workingDate',
      ['id', 'workingDate'],
      'confirmedAt',
      'detailConfirmedAt',
      'readStamp',
    ],
  }),
  ...declaredSchemas,
  // ArkType's inferred type and the interface Change differ in fields that two parents declare.
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
