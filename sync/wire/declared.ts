/**
 * Converts records of declared resources between the device's form and the CRM's (crm-contract 2, 4), and compares
 * values that were sent with values that were read. On the device an empty value is null, and a field with several
 * codes is an array, which the CRM has as a text joined by commas.
 */
import { isSameContent } from '#schemas/change-history.ts'
import type { ContentOf, Declaration, Field, ServerOf, WireOf } from '#schemas/declare/declare.ts'
import { isNormalizedFrom } from '#schemas/stored-text.ts'
import { inTokyo } from '#schemas/declare/wire.ts'
import { type } from 'arktype'
import type { Sliced } from '#sync/lib/slices.ts'

/** Null for an empty value, which is the CRM's form (crm-contract 2). */
const emptyToNull = (value: unknown) => (value === '' || value === undefined ? null : value)

/** True if two values are equal as JSON, with empty values as null. */
export const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(emptyToNull(a)) === JSON.stringify(emptyToNull(b))

/** True if two date-times are the same moment. */
export const sameInstant = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b))

export const textOrNull = (text: string | null | undefined): string | null => text || null

/** The texts with these names; null where a text is empty or absent. */
export const textsOf = <N extends string>(
  row: { [K in N]?: string | null | undefined },
  names: readonly N[],
) => Object.fromEntries(names.map((name) => [name, textOrNull(row[name])])) as Record<N, string | null>

const fieldsOf = ({ fields }: Declaration) => Object.entries<Field>(fields)

/** The content with all times in +09:00. Earlier versions saved other forms (RULES WR1). */
export const timesInTokyo = <F extends object>(declaration: Declaration, content: F): F => {
  const times = fieldsOf(declaration).flatMap(([name, { kind }]) => {
    const value: unknown = Reflect.get(content, name)
    return kind === 'time' && typeof value === 'string' ? [[name, inTokyo(value) ?? value]] : []
  })
  return { ...content, ...Object.fromEntries(times) }
}

/** The body of a `POST` or `PUT`, with every field, because the CRM treats an absent field as null (crm-contract 2). */
export function bodyOf<D extends Declaration>(
  declaration: D,
  call: 'create' | 'edit',
  record: object,
  content: ContentOf<D>,
  loginUserId: string,
): Record<string, unknown> {
  const ids = Object.entries(declaration.sends[call] ?? {})
  const ownerIds = ids.map(([name, recordField]) => [name, emptyToNull(Reflect.get(record, recordField))])
  const fields = fieldsOf(declaration).map(([name, { kind }]) => {
    const value: unknown = Reflect.get(content, name)
    return [name, kind === 'codes' ? codesOf(value).join(',') : emptyToNull(value)]
  })
  return { ...Object.fromEntries([...ownerIds, ...fields]), loginUserId }
}

const codesOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const codesIn = (text: unknown) =>
  (stringOrNull(text) ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean)

/** Converts a parsed row to a record's CRM state. */
export function serverFromWire<D extends Declaration>(
  declaration: D,
  wire: WireOf<D>,
): Omit<ServerOf<D>, 'stamp'> {
  const valueOf = (name: string): unknown => Reflect.get(wire, name) ?? null
  const content = fieldsOf(declaration).map(([name, { kind, responseName = name }]) => {
    const value = valueOf(responseName)
    return [name, kind === 'codes' ? codesIn(value) : value]
  })
  const crmOnly = Object.keys(declaration.crmOnlyFields).map((name) => [name, valueOf(name)])
  const names = Object.values(declaration.codeNames ?? {}).map((name) => [name, stringOrNull(valueOf(name))])
  const entries = [...content, ...crmOnly, ...names.filter(([, text]) => text)]
  return { id: wire.id, detailed: true, ...Object.fromEntries(entries) } as Omit<ServerOf<D>, 'stamp'>
}

/** Removes the CRM's names of the codes that a change has replaced. The next read returns the new ones. */
export function withoutStaleCodeNames<S extends object>(
  { codeNames = {} }: Declaration,
  before: object,
  state: S,
): S {
  const staleNames = Object.entries(codeNames).flatMap(([field, name]) =>
    isSameContent(Reflect.get(before, field), Reflect.get(state, field)) ? [] : [name],
  )
  return Object.fromEntries(Object.entries(state).filter(([name]) => !staleNames.includes(name))) as S
}

/** The fields that only the CRM sets, all null: their values before the first read. */
export const emptyCrmOnlyFields = ({ crmOnlyFields }: Declaration): Record<string, null> =>
  Object.fromEntries(Object.keys(crmOnlyFields).map((name) => [name, null]))

/** True if the row may come from our `POST` with this content, of this local record (crm-contract 4). */
export function isOurs<D extends Declaration>(
  declaration: D,
  owner: object,
  sent: ContentOf<D>,
  wire: WireOf<D>,
): boolean {
  const { required, ifReturned, content } = declaration.identity
  const read = serverFromWire(declaration, wire)
  const compared = fieldsOf(declaration).filter(([name]) => content === 'all' || content.includes(name))
  return (
    required.every((name) => isSame(Reflect.get(wire, name), Reflect.get(owner, name))) &&
    ifReturned.every((name) => matchesIfPresent(Reflect.get(wire, name), Reflect.get(owner, name))) &&
    compared.every(([name, field]) => isSameField(field, Reflect.get(read, name), Reflect.get(sent, name)))
  )
}

/** True if a row belongs to the record's request or visit. The answer to a `POST` may name another record's id. */
export function isOfRecord({ sends, identity }: Declaration, record: object, row: object): boolean {
  const ownerFields = sends.create ?? Object.fromEntries(identity.required.map((name) => [name, name]))
  return Object.entries(ownerFields).every(([wireName, recordField]) =>
    matchesIfPresent(Reflect.get(row, wireName), Reflect.get(record, recordField)),
  )
}

const matchesIfPresent = (read: unknown, sent: unknown) => emptyToNull(read) === null || isSame(read, sent)

/** True if the read value may be the CRM's form of the sent one, or missing, unless the CRM always returns the field. */
function isSameField({ kind, alwaysReturned }: Field, read: unknown, sent: unknown): boolean {
  if (kind === 'codes') return isSameContent(codesOf(read), codesOf(sent))
  if (kind === 'time')
    return emptyToNull(read) === null || sameInstant(stringOrNull(read), stringOrNull(sent))
  const [sentText, readText] = [stringOrNull(sent), stringOrNull(read)]
  if (sentText !== null && readText !== null) return isNormalizedFrom(sentText, readText)
  return isSameContent(sent, read) || (!alwaysReturned && emptyToNull(read) === null)
}

const stringOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

type Attempt<T> = { kind: 'read'; value: T } | { kind: 'unreadable'; problem: string }

const PROBLEM_MAX = 300
const PROBLEMS_REPORTED = 5

/** Runs a parser. @returns its value, or the description of the problem */
export function attempt<T>(read: () => T): Attempt<Exclude<T, type.errors>> {
  try {
    const value = read()
    if (!(value instanceof type.errors)) return { kind: 'read', value: value as Exclude<T, type.errors> }
    const expected = value.map(({ propString, expected: what }) => `${propString || 'it'} must be ${what}`)
    return { kind: 'unreadable', problem: expected.join('\n').slice(0, PROBLEM_MAX) }
  } catch (error) {
    return { kind: 'unreadable', problem: `${error instanceof Error ? error.name : 'something'} was thrown` }
  }
}

/** Runs a parser. @returns its value; null if the input cannot be parsed */
export function readOrNull<T>(read: () => T): Exclude<T, type.errors> | null {
  const result = attempt(read)
  return result.kind === 'read' ? result.value : null
}

/** Reports the rows of an answer that did not parse. @param source the path or list, which begins each line */
export function reportProblems(
  report: (problem: string) => void,
  source: string,
  problems: readonly string[],
): void {
  for (const problem of problems.slice(0, PROBLEMS_REPORTED)) report(`${source}: ${problem}`)
  const more = problems.length - PROBLEMS_REPORTED
  if (more > 0) report(`${source}: ${more} more`)
}

export interface ParsedRows<R> {
  rows: R[]
  /** Keys of rows that did not parse. The CRM has these records, so they do not count as deleted. */
  skipped: string[]
  /** True if a row had no readable key. No record may then count as deleted, because it may be that row. */
  unreadable: boolean
  /** One text for each skipped row, for the error log. */
  problems: string[]
}

/** Parses a list row by row. @param keyOf returns the key of a row that cannot be parsed */
export function* parseRowsInSlices<R>(
  raws: readonly unknown[],
  parse: (raw: unknown) => R | type.errors,
  keyOf: (raw: unknown) => string | type.errors,
): Sliced<ParsedRows<R>> {
  const parsed: ParsedRows<R> = { rows: [], skipped: [], unreadable: false, problems: [] }
  for (const raw of raws) {
    yield
    const row = attempt(() => parse(raw))
    if (row.kind === 'read') {
      parsed.rows.push(row.value as R)
      continue
    }
    parsed.problems.push(row.problem)
    const key = readOrNull(() => keyOf(raw))
    if (key === null) parsed.unreadable = true
    else parsed.skipped.push(key)
  }
  return parsed
}
