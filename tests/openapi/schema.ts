/** JSON Schema (2020-12, as OpenAPI 3.1 has it) of the contract's kinds of values (crm-contract 2). */
import { ID_MAX } from '#schemas/limits.ts'

export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  [keyword: string]: unknown
}

interface CodeTable {
  options: readonly { code: string; label: string }[]
}

/** What the CRM answers beside other things: an absent value and null are the same. */
export const orNull = (schema: Schema): Schema => {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const { enum: codes, ...rest } = schema
  return {
    ...rest,
    type: [schema.type, 'null'],
    ...(Array.isArray(codes) ? { enum: [...codes, null] } : {}),
  }
}

export const id: Schema = { type: 'string', minLength: 1, maxLength: ID_MAX }
export const text: Schema = { type: 'string' }
export const textOrNull: Schema = orNull(text)
export const integer: Schema = { type: 'integer' }
export const date: Schema = { type: 'string', format: 'date' }
/** Any offset or Z is read (crm-contract 2). */
export const time: Schema = { type: 'string', format: 'date-time' }
export const timeOrNull: Schema = orNull(time)
/** Times are sent with +09:00. */
export const sentTime: Schema = { ...time, pattern: String.raw`\+09:00$` }

const meaning = ({ options }: CodeTable) =>
  options.map(({ code, label }) => `\`${code}\` ${label === code ? '' : label}`.trim()).join('、')

/** One of the codes that there are. */
export const sentCode = (table: CodeTable): Schema => ({
  type: 'string',
  enum: table.options.map(({ code }) => code),
  description: meaning(table),
})

/** Codes joined by commas. */
export const sentCodes = (table: CodeTable): Schema => {
  const one = `(?:${table.options.map(({ code }) => code).join('|')})`
  return {
    type: 'string',
    pattern: `^${one}(?:,${one})*$`,
    description: `コンマ区切り。${meaning(table)}`,
  }
}

/** A code that the table does not know is shown as it is: what is answered is no closed list. */
export const code = (table?: CodeTable): Schema => ({
  type: ['string', 'null'],
  ...(table ? { description: meaning(table) } : {}),
})

export const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required: [...required] } : {}),
})

/** Every property must be there. */
export const complete = (properties: Record<string, Schema>): Schema =>
  object(properties, Object.keys(properties))

export const list = (items: Schema): Schema => ({ type: 'array', items })
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const refOrNull = (name: string): Schema => ({ anyOf: [ref(name), { type: 'null' }] })
