/** Derives RxDB schemas from ArkType definitions (`rx-schemas.ts` lists them). */
import type { SharedRow } from '#schemas/collections/shared.ts'

type Json = Record<string, unknown>
type ArkLike<T> = { infer: T; toJsonSchema(options: object): object }
type Index<T> = Extract<keyof T, string> | Extract<keyof T, string>[]

/** The part of RxDB's `RxJsonSchema` that is derived here. `schemas/` does not import rxdb. */
export interface RxSchemaOf<T> {
  version: number
  primaryKey: Extract<keyof T, string>
  type: 'object'
  properties: Json
  required: string[]
  indexes: Index<T>[]
  additionalProperties: false
  /** For a shared collection: its kinds by title. */
  anyOf?: Json[]
}

/**
 * ArkType's JSON schema of a record, adapted to RxDB.
 * @throws Error if the type is not an object
 */
function jsonOf<T>(ark: ArkLike<T>): { properties: Json; required: string[] } {
  const base = ark.toJsonSchema({
    target: 'draft-07',
    fallback: { predicate: (context: { base: object }) => context.base },
  }) as Json
  if (base['type'] !== 'object') throw new Error('a record must be an object')
  const { properties, required = [] } = clean(base) as { properties: Json; required?: string[] }
  return { properties, required }
}

/**
 * The schema of a shared collection (`shared.ts`). RxDB needs all field names at the top level. `anyOf` has
 * the fields of each kind, so that a change of one kind changes the schema.
 */
export function toSharedSchema(
  kinds: Readonly<Record<string, ArkLike<object>>>,
  { version, keyMax }: { version: number; keyMax: number },
): RxSchemaOf<SharedRow> {
  const anyOf = Object.entries(kinds).map(([title, ark]) => ({ title, ...jsonOf(ark) }))
  const names = [...new Set(anyOf.flatMap(({ properties }) => Object.keys(properties)))].toSorted()
  return {
    version,
    primaryKey: 'rowKey',
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, {}])),
      rowKey: { type: 'string', maxLength: keyMax },
    },
    required: ['rowKey'],
    indexes: [],
    additionalProperties: false,
    anyOf,
  }
}

/**
 * The schema of one collection.
 * @throws Error if the type is not an object, or if an indexed field is not a required, bounded string:
 * RxDB's index would silently drop documents
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

/** Adds a `type` beside `enum` and `const`, and removes `$schema`, which RxDB does not accept. */
function clean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clean)
  if (!node || typeof node !== 'object') return node
  const { $schema: _, description: __, ...rest } = node as Json
  const out: Json = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, clean(value)]))
  const sample = 'const' in out ? out['const'] : (out['enum'] as unknown[] | undefined)?.[0]
  if (sample !== undefined && !('type' in out)) out['type'] = sample === null ? 'null' : typeof sample
  return out
}
