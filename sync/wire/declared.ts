/**
 * A declared resource between device and CRM (crm-contract 2, 4): pure, and the same for all. A value of the device is
 * null where it says nothing, an array where it is several codes; the CRM has those joined by commas.
 */
import { isSameContent } from '#schemas/change-history.ts'
import type { ContentOf, Declaration, Field, ServerOf, WireOf } from '#schemas/declare/declare.ts'
import { isMadeOf } from '#schemas/stored-text.ts'
import { inTokyo } from '#schemas/declare/wire.ts'
import { isSame, normal, orNull, sameInstant } from './fields.ts'

const fieldsOf = ({ fields }: Declaration) => Object.entries<Field>(fields)

/** The content as it leaves: times with +09:00, also those that the device has stored in another form (RULES WR1). */
export const timesInTokyo = <F extends object>(declaration: Declaration, content: F): F => {
  const times = fieldsOf(declaration).flatMap(([name, { kind }]) => {
    const value: unknown = Reflect.get(content, name)
    return kind === 'time' && typeof value === 'string' ? [[name, inTokyo(value) ?? value]] : []
  })
  return { ...content, ...Object.fromEntries(times) }
}

/**
 * The body of a creating call or of an edit: whose it is, the whole content, who sends it. To the CRM an absent field is a
 * null one (crm-contract 2).
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

/** A row that was read → the server's state. */
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

/** A state without the CRM's names of codes that have changed since the state before: the next read brings theirs. */
export function withNamesOf<S extends object>({ codeNames = {} }: Declaration, before: object, state: S): S {
  const old = Object.entries(codeNames).flatMap(([field, name]) =>
    isSameContent(Reflect.get(before, field), Reflect.get(state, field)) ? [] : [name],
  )
  return Object.fromEntries(Object.entries(state).filter(([name]) => !old.includes(name))) as S
}

/** What only the CRM knows, before it was read. */
export const unreadOf = ({ told }: Declaration): Record<string, null> =>
  Object.fromEntries(Object.keys(told).map((name) => [name, null]))

/** Whether a row that was read is the one that this content was to make (crm-contract 4, reading back). */
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
 * True if a row that was read by a record's id is of its request, day and kind, as far as the row says so: the answer to a
 * create may have named another record.
 */
export function isOfRecord({ sends, identity }: Declaration, record: object, row: object): boolean {
  const whose = sends.create ?? Object.fromEntries(identity.always.map((name) => [name, name]))
  return Object.entries(whose).every(([wire, own]) =>
    isSaid(Reflect.get(row, wire), Reflect.get(record, own)),
  )
}

/** What the read leaves out says nothing against it. */
const isSaid = (read: unknown, sent: unknown) => normal(read) === null || isSame(read, sent)

/** The CRM may write it down in another way, and not finding it again would make it twice (RULES OC6). */
function isSameField({ kind, always }: Field, read: unknown, sent: unknown): boolean {
  if (kind === 'codes') return isSameContent(codesOf(read), codesOf(sent))
  if (kind === 'time') return normal(read) === null || sameInstant(textOrNull(read), textOrNull(sent))
  const [made, shown] = [textOrNull(sent), textOrNull(read)]
  if (made !== null && shown !== null) return isMadeOf(made, shown)
  return isSameContent(sent, read) || (!always && normal(read) === null)
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
