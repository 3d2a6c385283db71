/**
 * The RxDB schema of each collection, derived from the ArkType definition of its record. What the app opens its database
 * with is this, written down (rx-schemas.json): ArkType takes a slow phone over a second to start, and the list would wait
 * for it (decisions/speed). `npm run schemas` writes it anew; a test holds the two equal. What is changed here is
 * stored on phones:
 * `npm run schemas -- --bump <collection>` comes first (decisions/updates).
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

/** @param kinds those that `shared.ts` puts there, and no others: the compiler says which */
const sharedSchema = <C extends SharedCollection>(
  name: C,
  kinds: { [K in SharedKind as (typeof sharedKinds)[K]['in'] extends C ? K : never]: Type<KindRecords[K]> },
) => toSharedSchema(kinds, { version: versionOf(name), keyMax: ROW_KEY_MAX })

// of the declarations themselves: the list of collections is written down along with these schemas
const declaredSchemas = Object.fromEntries(
  Object.keys(declared).map((collection) => [collection, declaredSchema(collection as PushCollection)]),
) as Record<PushCollection, RxSchemaOf<StoredRecord>>

export const derivedSchemas = {
  requests: toRxSchema(requestRecord, {
    version: versionOf('requests'),
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
  ...declaredSchemas,
  // the interface says what the parts of the definition have in common once
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
