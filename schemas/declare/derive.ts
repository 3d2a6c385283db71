/**
 * Derives ArkType schemas from a declaration. The functions cast to the types of `declare.ts`, because ArkType cannot
 * infer the types of schemas built at run time. A test checks that both agree (declared-laws.test.ts).
 */
import { type, type Type } from 'arktype'
import type { Code } from '#schemas/code-table.ts'
import type { Declaration, DraftOf, Field, WireKind, WireOf } from './declare.ts'
import { optionsOf } from './form-values.ts'
import { legible } from '#schemas/text.ts'
import { textOf } from './text-rules.ts'
import { isoDate, wireCode, wireDate, wireDateTime, wireId, wireText } from './wire.ts'

const mapped = <V, T>(fields: Readonly<Record<string, V>>, to: (value: V) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, to(value)]))

const optional = <T>(fields: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${name}?`, value]))

export const codeSchema = <T extends { options: readonly { code: string }[] }>(table: T) =>
  type.enumerated(...table.options.map(({ code }) => code as Code<T>))

const object = (definition: Record<string, unknown>) => type.raw(definition) as Type<object>

/** The schema of a form's input. Codes with which the form opened (`opened`) are valid even if no table has them. */
export function draftOf<D extends Declaration>({ fields }: D, opened: object = {}): Parser<DraftOf<D>> {
  const typed = Object.entries<Field>(fields).filter(([, { from }]) => from === undefined)
  const schemas = typed.map(([name, field]) => [name, draftField(field, Reflect.get(opened, name))])
  const parser: unknown = object(Object.fromEntries(schemas))
  return parser as Parser<DraftOf<D>>
}

function draftField(field: Field, opened: unknown) {
  switch (field.kind) {
    case 'codes':
      return codeIn(field, opened).array().atLeastLength(1)
    case 'code':
      return field.required ? codeIn(field, opened) : codeIn(field, opened).or("''")
    case 'time':
      return type('string')
    case 'text':
      return textOf(field)
  }
}

const codeIn = (field: Field, opened: unknown) => codeSchema({ options: optionsOf(field, opened) })

const WIRE_KINDS = {
  id: wireId,
  text: wireText,
  code: wireCode,
  type: type('string | number')
    .pipe((code) => legible(String(code)))
    .to('1 <= string <= 8'),
  time: wireDateTime,
  date: wireDate,
  day: isoDate,
} satisfies Record<WireKind, Type>

const WIRE_KIND_OF = { text: 'text', code: 'code', codes: 'text', time: 'time' } as const

/** The part of an ArkType schema that callers use. */
interface Parser<T> {
  (value: unknown): T | type.errors
  readonly infer: T
  assert(value: unknown): T
  allows(value: unknown): boolean
  readonly '~standard': { validate(value: unknown): unknown }
}

/** The schema of a CRM row. Unknown fields are preserved. */
export function wireOf<D extends Declaration>(declaration: D): Parser<WireOf<D>> {
  const { fields, crmOnlyFields, names, codeNames = {} } = declaration
  const kinds = Object.entries<Field>(fields).map(([name, field]): [string, WireKind] => [
    field.responseName ?? name,
    WIRE_KIND_OF[field.kind],
  ])
  const displayNames = Object.values(codeNames).map((name) => [name, 'text'])
  const optionalKinds: Record<string, WireKind> = {
    ...Object.fromEntries([...kinds, ...displayNames]),
    ...crmOnlyFields,
  }
  const row = { id: 'id', ...names, ...optional(optionalKinds) } satisfies Record<string, WireKind>
  const parser: unknown = object(mapped<WireKind, unknown>(row, (kind) => WIRE_KINDS[kind]))
  return parser as Parser<WireOf<D>>
}
