/** Whether an exchange keeps the document: strictly, so that a field that it does not name is a fault as well. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Exchange } from './conversation.ts'
import type { documentOf } from './document.ts'

type Document = ReturnType<typeof documentOf>
type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each component is a schema of its own to the validator, which else compiles it anew for every call. */
const keyOf = (name: string) => `contract:${name}`

/** The same, with nothing allowed in an object that is not named, and its references those of the document. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict)
  if (!isObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, strict(part)]))
  if (typeof value['$ref'] === 'string') return { $ref: keyOf(value['$ref'].split('/').at(-1) ?? '') }
  return isObject(value['properties']) && value['type'] === 'object'
    ? { ...inner, additionalProperties: false }
    : inner
}

const FORMATS = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/,
}

/** @returns what is wrong with a value, null where nothing is; each schema is compiled once */
function validatorOf(document: Document) {
  const ajv = new Ajv2020({ formats: FORMATS, strict: false, inlineRefs: false })
  for (const [name, schema] of Object.entries(document.components.schemas))
    ajv.addSchema(strict(schema) as Json, keyOf(name))
  const known = new Map<Json, ValidateFunction>()
  return (schema: Json, value: unknown): string | null => {
    const check = known.get(schema) ?? ajv.compile({ allOf: [strict(schema)] })
    known.set(schema, check)
    return check(value) ? null : ajv.errorsText(check.errors)
  }
}

/** The value at a reference inside the document. */
function at(document: Document, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, name) => (isObject(value) ? value[name.replaceAll('~1', '/')] : undefined),
      document,
    )
}

const followed = (document: Document, value: unknown): unknown =>
  isObject(value) && typeof value['$ref'] === 'string' ? at(document, value['$ref']) : value

const part = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

/** @returns what an exchange has that the document does not allow, in words */
export function checkerOf(document: Document) {
  const validate = validatorOf(document)
  const described = ({ operation }: Exchange, ...names: string[]) =>
    part(document.paths[operation.path], operation.method.toLowerCase(), ...names)
  const named = ({ operation, answer }: Exchange, faults: string[]) =>
    faults.map((fault) => `${operation.id} ${answer.status}: ${fault}`)

  const faultsSent = (exchange: Exchange): string[] => {
    const { operation, sent } = exchange
    const schema = part(described(exchange, 'requestBody', 'content'), operation.body?.media ?? '', 'schema')
    const fault = sent !== undefined && isObject(schema) ? validate(schema, sent) : null
    return named(exchange, fault ? [fault] : [])
  }
  const faultsAnswered = (exchange: Exchange): string[] => {
    const { json, status, headers } = exchange.answer
    const responses = described(exchange, 'responses')
    const family = `${String(status).charAt(0)}XX`
    const response = followed(document, part(responses, String(status)) ?? part(responses, family))
    if (!isObject(response)) return named(exchange, ['no such status'])
    const isBody = typeof json === 'object'
    const schema = part(response, 'content', 'application/json', 'schema')
    const fault = isBody && isObject(schema) ? validate(schema, json) : null
    return named(exchange, [
      ...lacking(response, headers, json === ''),
      ...(isBody && !isObject(schema) ? ['a body that is not named'] : []),
      ...(fault ? [fault] : []),
    ])
  }
  /** Of a value that is to have the form of a component. */
  const faultsOf = (name: string, value: unknown): string | null =>
    validate(document.components.schemas[name] ?? {}, value)
  return { faultsSent, faultsAnswered, faultsOf }
}

/** The host says the time, and an answer without a body is not kept. */
function lacking(response: Json, headers: Headers, isEmpty: boolean): string[] {
  const names = isObject(response['headers']) ? Object.keys(response['headers']) : []
  return names
    .filter((name) => !headers.has(name) && name !== 'Date' && !(isEmpty && name === 'Cache-Control'))
    .map((name) => `no header ${name}`)
}

/** Every name of a property below a value of JSON Schema. */
export function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (!isObject(value)) return []
  const own = isObject(value['properties']) ? Object.keys(value['properties']) : []
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

/** Every key below a value. */
export function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keysIn)] : []
}

/** The properties of one of its schemas. */
export const propertiesOf = (document: Document, name: string): string[] =>
  Object.keys(document.components.schemas[name]?.properties ?? {})

const inOrder = (a: string, b: string) =>
  a.charCodeAt(0) - b.charCodeAt(0) || Number(a.slice(1)) - Number(b.slice(1))

/** The numbers of all clauses that its calls name. */
export function namedIn(document: Document): string[] {
  const ofCalls = Object.values(document.paths).flatMap((calls) =>
    Object.values(calls).flatMap((call) => part(call, 'x-clauses') as string[]),
  )
  return [...new Set([...document['x-clauses-of-all'], ...ofCalls])].toSorted(inOrder)
}

/** The answers of a call that show no example, and the message keys that none of them shows. */
export function withoutExamples(call: unknown): string[] {
  const responses = part(call, 'responses')
  if (!isObject(responses)) return ['no responses']
  return Object.entries(responses).flatMap(([status, response]) => {
    const content = part(response, 'content', 'application/json')
    if (!isObject(content)) return []
    const examples = JSON.stringify(content['examples'] ?? {})
    const keys = part(response, 'x-message-keys')
    const unseen = (Array.isArray(keys) ? keys : []).filter((key) => !examples.includes(`"${key}"`))
    const named = `${String(part(call, 'operationId'))} ${status}`
    return [...(examples === '{}' ? [named] : []), ...unseen.map((key) => `${named} ${String(key)}`)]
  })
}
