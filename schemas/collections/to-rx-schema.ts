/** Derives RxDB schemas from ArkType definitions. `rx-schemas.ts` lists the schemas. */
import type { SharedRow } from '#schemas/collections/shared.ts'

type Json = Record<string, unknown>
type ArkLike<T> = { infer: T; toJsonSchema(options: object): object }
type Index<T> = Extract<keyof T, string> | Extract<keyof T, string>[]

/** The part of RxDB's `RxJsonSchema` that is used here, because `schemas/` does not import rxdb. */
export interface RxSchemaOf<T> {
  version: number
  primaryKey: Extract<keyof T, string>
  type: 'object'
  properties: Json
  required: string[]
  indexes: Index<T>[]
  additionalProperties: false
  /** The schemas of the kinds in a shared collection, each with the kind's name as `title`. */
  anyOf?: Json[]
}

/**
 * Converts an ArkType definition to a JSON schema that RxDB accepts.
 * @throws Error if the type is not an object
 */
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
 * The schema of a shared collection (`shared.ts`). RxDB needs all fields at the top level. `anyOf` repeats the fields
 * of each kind, so that a change of one kind changes the schema.
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
 * The schema of a collection.
 * @throws Error if the type is not an object, or an indexed field is not a required, bounded string, because RxDB's
 * index would silently omit documents
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
