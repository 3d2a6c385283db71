/**
 * Derives the RxDB schema of each collection from its ArkType definition into rx-schemas.json (`npm run schemas`),
 * which the app loads:
 * starting ArkType takes more than a second on a slow phone (decisions/speed). Before a schema is changed, `npm run
 * schemas -- --bump <collection>` must be run, because phones have stored documents of the old schema
 * (decisions/updates).
 */
import { type, type Type } from 'arktype'
import {
  changeDocument,
  recordFields,
  serverFields,
  type Change,
  type StoredRecord,
} from '#schemas/change.ts'
import type { RxSchemaOf } from '#schemas/collections/collections.ts'
import type { Declaration, Field } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { formDraft } from '#schemas/device/form-draft.ts'
import { interest } from '#schemas/device/interest.ts'
import { photoRecord } from '#schemas/resources/photo.ts'
import { pastReportRecord } from '#schemas/resources/past-report.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { requestRecord } from '#schemas/resources/request.ts'
import { supplierStaffRecord } from '#schemas/resources/supplier-staff.ts'
import {
  ROW_KEY_MAX,
  type KindRecords,
  type sharedKinds,
  type SharedCollection,
  type SharedKind,
  type SharedRow,
} from '#schemas/collections/shared.ts'
import { versionOf } from '#schemas/collections/versions.ts'

type Json = Record<string, unknown>
type ArkLike<T> = { infer: T; toJsonSchema(options: object): object }
type Index<T> = Extract<keyof T, string> | Extract<keyof T, string>[]

/** Converts an ArkType definition to a JSON schema that RxDB accepts. @throws Error if it is not an object */
function jsonOf<T>(ark: ArkLike<T>): { properties: Json; required: string[] } {
  const base = ark.toJsonSchema({
    target: 'draft-07',
    // A check by a function (`narrow`) is left out, because JSON schema has no form for it.
    fallback: { predicate: (context: { base: object }) => context.base },
  }) as Json
  if (base['type'] !== 'object') throw new Error('a record must be an object')
  const { properties, required = [] } = clean(base) as { properties: Json; required?: string[] }
  return { properties, required }
}

/**
 * The schema of a collection.
 * @throws Error if an indexed field is not a required, bounded string, because RxDB's index would silently omit
 * documents
 */
export function toRxSchema<T extends object>(
  ark: ArkLike<T>,
  options: { version: number; primaryKey: Extract<keyof T, string>; indexes?: Index<T>[] },
): RxSchemaOf<T> {
  const { properties, required } = jsonOf(ark)
  const indexes = options.indexes ?? []
  for (const field of new Set([options.primaryKey, ...indexes.flat()])) {
    const property = properties[field] as Json | undefined
    if (!property || !required.includes(field)) throw new Error(`index ${field}: not a required field`)
    property['maxLength'] ??= longestOf(property['enum'])
    if (property['type'] !== 'string' || property['maxLength'] === undefined)
      throw new Error(`index ${field}: not a bounded string`)
  }
  return {
    version: options.version,
    primaryKey: options.primaryKey,
    type: 'object',
    properties,
    required,
    indexes,
    additionalProperties: false,
  }
}

const longestOf = (values: unknown) =>
  Array.isArray(values) ? Math.max(...values.map((value) => String(value).length)) : undefined

/** Adds a `type` beside `enum` and `const`, and removes `$schema`, as RxDB requires. */
function clean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clean)
  if (!node || typeof node !== 'object') return node
  const { $schema: _, description: __, ...rest } = node as Json
  const out: Json = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, clean(value)]))
  const sample = 'const' in out ? out['const'] : (out['enum'] as unknown[] | undefined)?.[0]
  if (sample !== undefined && !('type' in out)) out['type'] = sample === null ? 'null' : typeof sample
  return out
}

const object = (definition: Record<string, unknown>) => type.raw(definition) as Type<object>

/** The schema of a declared record's document. */
function recordOf({ fields, crmOnlyFields, own, codeNames = {} }: Declaration): Type<StoredRecord> {
  const server = [
    ...Object.entries<Field>(fields).map(([name, { kind }]) => [name, kind === 'codes' ? 'string[]' : TEXT]),
    ...Object.keys(crmOnlyFields).map((name) => [name, TEXT]),
    ...Object.values(codeNames).map((name) => [`${name}?`, TEXT]),
  ]
  const served = serverFields.merge(object(Object.fromEntries(server)))
  const record: unknown = recordFields.merge(object({ ...own, 'server?': served }))
  return record as Type<StoredRecord>
}

const TEXT = 'string | null'

const declaredSchema = (collection: PushCollection) => {
  const declaration: Declaration = declared[collection]
  return toRxSchema<StoredRecord>(recordOf(declaration), {
    version: versionOf(collection),
    primaryKey: 'key',
    indexes: [...declaration.indexes] as 'key'[],
  })
}

/**
 * Schema of a shared collection (`shared.ts`). RxDB needs all fields at the top level. `anyOf` repeats the fields of each
 * kind, so that a change of one kind changes the schema.
 * @param kinds the kinds that `shared.ts` assigns to the collection, checked by the compiler
 */
function sharedSchema<C extends SharedCollection>(
  name: C,
  kinds: { [K in SharedKind as (typeof sharedKinds)[K]['in'] extends C ? K : never]: Type<KindRecords[K]> },
): RxSchemaOf<SharedRow> {
  const anyOf = Object.entries<ArkLike<object>>(kinds).map(([title, ark]) => ({ title, ...jsonOf(ark) }))
  const names = [...new Set(anyOf.flatMap(({ properties }) => Object.keys(properties)))].toSorted()
  return {
    version: versionOf(name),
    primaryKey: 'rowKey',
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((field) => [field, {}])),
      rowKey: { type: 'string', maxLength: ROW_KEY_MAX },
    },
    required: ['rowKey'],
    indexes: [],
    additionalProperties: false,
    anyOf,
  }
}

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
  changes: toRxSchema<Change>(changeDocument, {
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
