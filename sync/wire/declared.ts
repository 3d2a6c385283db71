/**
 * Maps declared resources between device and CRM (crm-contract 2, 4). Pure, and the same for all. On the
 * device an empty value is null and several codes are an array; in the CRM codes are joined by commas.
 */
import { isSameContent } from '#schemas/change-history.ts'
import type { ContentOf, Declaration, Field, ServerOf, WireOf } from '#schemas/declare/declare.ts'
import { isMadeOf } from '#schemas/stored-text.ts'
import { inTokyo } from '#schemas/declare/wire.ts'
import { isSame, normal, orNull, sameInstant } from './fields.ts'

const fieldsOf = ({ fields }: Declaration) => Object.entries<Field>(fields)

/** The content with times in +09:00, also those that the device has stored in another form (RULES WR1). */
export const timesInTokyo = <F extends object>(declaration: Declaration, content: F): F => {
  const times = fieldsOf(declaration).flatMap(([name, { kind }]) => {
    const value: unknown = Reflect.get(content, name)
    return kind === 'time' && typeof value === 'string' ? [[name, inTokyo(value) ?? value]] : []
  })
  return { ...content, ...Object.fromEntries(times) }
}

/**
 * The body of a create or an edit: the owner's ids, the whole content, and the sender. For the CRM an absent
 * field equals null (crm-contract 2).
 */
export function bodyOf<D extends Declaration>(
  declaration: D,
  call: 'create' | 'edit',
  record: object,
  content: ContentOf<D>,
  loginUserId: string,
): Record<string, unknown> {
  const whose = Object.entries(declaration.sends[call] ?? {}).map(([wire, own]) => [
    wire,
    normal(Reflect.get(record, own)),
  ])
  const fields = fieldsOf(declaration).map(([name, { kind }]) => {
    const value: unknown = Reflect.get(content, name)
    return [name, kind === 'codes' ? codesOf(value).join(',') : normal(value)]
  })
  return { ...Object.fromEntries([...whose, ...fields]), loginUserId }
}

const codesOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const codesIn = (text: unknown) =>
  (typeof text === 'string' ? text : '')
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean)

/** Converts a parsed row to the server state. */
export function serverFromWire<D extends Declaration>(
  declaration: D,
  wire: WireOf<D>,
): Omit<ServerOf<D>, 'stamp'> {
  const content = fieldsOf(declaration).map(([name, { kind, answered = name }]) => {
    const value: unknown = Reflect.get(wire, answered)
    return [name, kind === 'codes' ? codesIn(value) : orNull(value)]
  })
  const told = Object.keys(declaration.told).map((name) => [name, orNull(Reflect.get(wire, name))])
  const names = Object.values(declaration.codeNames ?? {}).flatMap((name) => {
    const text: unknown = Reflect.get(wire, name)
    return typeof text === 'string' && text !== '' ? [[name, text]] : []
  })
  const server = { id: wire.id, detailed: true, ...Object.fromEntries([...content, ...told, ...names]) }
  return server as Omit<ServerOf<D>, 'stamp'>
}

/**
 * Removes the CRM's names of codes that have changed since the previous state; the next read returns the new
 * names.
 */
export function withNamesOf<S extends object>({ codeNames = {} }: Declaration, before: object, state: S): S {
  const old = Object.entries(codeNames).flatMap(([field, name]) =>
    isSameContent(Reflect.get(before, field), Reflect.get(state, field)) ? [] : [name],
  )
  return Object.fromEntries(Object.entries(state).filter(([name]) => !old.includes(name))) as S
}

/** The CRM-only fields before they are read. */
export const unreadOf = ({ told }: Declaration): Record<string, null> =>
  Object.fromEntries(Object.keys(told).map((name) => [name, null]))

/** True if a row is the one that this content was to create (crm-contract 4, reading back). */
export function isOurs<D extends Declaration>(
  declaration: D,
  whose: object,
  sent: ContentOf<D>,
  wire: WireOf<D>,
): boolean {
  const { always, whereRead, content } = declaration.identity
  const read = serverFromWire(declaration, wire)
  return (
    always.every((name) => isSame(Reflect.get(wire, name), Reflect.get(whose, name))) &&
    whereRead.every((name) => isSaid(Reflect.get(wire, name), Reflect.get(whose, name))) &&
    fieldsOf(declaration).every(
      ([name, field]) =>
        (content !== 'all' && !content.includes(name)) ||
        isSameField(field, Reflect.get(read, name), Reflect.get(sent, name)),
    )
  )
}

/**
 * True if a row read by id belongs to the record's request, day and kind, as far as the row says: the
 * response to a create may have named another record.
 */
export function isOfRecord({ sends, identity }: Declaration, record: object, row: object): boolean {
  const whose = sends.create ?? Object.fromEntries(identity.always.map((name) => [name, name]))
  return Object.entries(whose).every(([wire, own]) =>
    isSaid(Reflect.get(row, wire), Reflect.get(record, own)),
  )
}

/** A value that the row omits does not contradict. */
const isSaid = (read: unknown, sent: unknown) => normal(read) === null || isSame(read, sent)

/**
 * Compares one field. The CRM may store it in another form, and a row that is not recognised would be created
 * twice (RULES OC6).
 */
function isSameField({ kind, always }: Field, read: unknown, sent: unknown): boolean {
  if (kind === 'codes') return isSameContent(codesOf(read), codesOf(sent))
  if (kind === 'time') return normal(read) === null || sameInstant(textOrNull(read), textOrNull(sent))
  const [made, shown] = [textOrNull(sent), textOrNull(read)]
  if (made !== null && shown !== null) return isMadeOf(made, shown)
  return isSameContent(sent, read) || (!always && normal(read) === null)
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
