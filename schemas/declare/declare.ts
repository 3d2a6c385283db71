/**
 * The declaration of a resource: plain data without ArkType, from which everything else that depends on its fields is
 * derived.
 *
 *     schemas/<slug>.ts ─┬─ types       ContentOf, ServerOf, StoredOf, RecordOf, DraftOf …         (this file)
 *                        ├─ values      what a form starts with, what a save says                  (form-values.ts)
 *                        ├─ ArkType     draft, wire, record → RxDB schema                          (derive.ts)
 *                        ├─ wire        body, server's state, whether a row is ours                (sync/wire/declared.ts)
 *                        └─ laws        tests/sync/merge/declared-laws.test.ts, for each that is declared
 */
import type { type } from 'arktype'
import type { ChangeBase, confirmed, travelling } from '#schemas/change.ts'
import type { Code } from '#schemas/code-table.ts'
import type { TextRule, Wording } from './text-rules.ts'

interface Table {
  options: readonly { code: string; label: string }[]
  label(code: string): string
}

interface AnyField {
  /** Where its value comes from, if it is not typed into the form. */
  from?: 'visit' | 'clock' | 'choice'
  /** Nobody else changes this field, even if others may edit the record. */
  fixed?: true
  /** Its name in the CRM's answers, if it differs from the name in what is sent. */
  answered?: string
  /** A row without this field is not ours; a row without any other field may still be. */
  always?: true
  /** Required only while each of these fields has one of these values. */
  requiredWhile?: Readonly<Record<string, readonly string[]>>
  /** Says the same as this field: the confirmation of a password. */
  sameAs?: string
}
/** `rule`, `wording`: the kinds of texts, and the forms of what is said of them (`text-rules.ts`). */
interface TextField extends AnyField {
  kind: 'text'
  /** In characters. */
  max: number
  required?: true
  rule?: TextRule
  wording?: Wording
}
interface CodeField extends AnyField {
  kind: 'code'
  table: Table
  required?: true
}
/** Several codes: an array here, joined by commas in the CRM. An empty one says that nothing was chosen. */
interface CodesField extends AnyField {
  kind: 'codes'
  table: Table
  required: true
}
/** ISO 8601; it leaves with +09:00 (sync RULES WR1). */
interface TimeField extends AnyField {
  kind: 'time'
}
export type Field = TextField | CodeField | CodesField | TimeField

/** How a value of a row that is no content is read: `type` is a code that must be there, `date` may be absent, `day` not. */
export type WireKind = 'id' | 'text' | 'code' | 'type' | 'time' | 'date' | 'day'

export type Offline = 'works' | 'open-forms' | 'needs-signal'

/** A request, a visit (a request on one day), an area. */
export type ListOwner = 'requestId' | 'locationAreaId' | 'visit'

export interface Declaration {
  /** One record, in addresses, drafts and files; the collection is its plural. */
  slug: string
  /** Under `{rest}`: POST makes one, PUT and GET have the id behind it. */
  path: string
  /** What may be written, in the order of the contract. */
  fields: Readonly<Record<string, Field>>
  /** What only the CRM says of a record. */
  told: Readonly<Record<string, WireKind>>
  /** The CRM's names of codes (spec 3): the field of the code → the name's own in the answers. They are only shown. */
  codeNames?: Readonly<Record<string, string>>
  /** What a row names beside its id: whose it is. A name with ? may be absent. */
  names: Readonly<Record<string, WireKind>>
  /** What the record has beside what all have, as ArkType definitions. */
  own: Readonly<Record<string, string>>
  /** Kinds of changes. */
  kinds: readonly string[]
  /** What a body carries beside the content: wire name → the record's. `null`: there is no such call of that form. */
  sends: {
    create: Readonly<Record<string, string>> | null
    edit: Readonly<Record<string, string>> | null
  }
  /**
   * What makes a row that was read ours (crm-contract 4, reading back): names that must be equal, names that must be equal
   * where the row has them, and which of the content.
   */
  identity: {
    always: readonly string[]
    whereRead: readonly string[]
    content: 'all' | readonly string[]
  }
  /** The CRM itself refuses to make a second one (sync RULES OC9). */
  refusesSecond: boolean
  /** What its list hangs on; `null`: it has none, the request's row sums it up. */
  owner: ListOwner | null
  /**
   * `of-request`: GET `{path}/request/{id}` gives the whole list of a request, where a created record is found again, too;
   * the path of travel is then known (`sync/resources/of-request.ts`). `own`: it is code, `sync/resources/<slug>.ts`.
   */
  list: 'of-request' | 'own'
  /** Fields that make sense only together (sync RULES MG2). */
  together: readonly string[]
  /** Somebody else of the company may edit it: what they change is told (sync RULES MG5). */
  editedByOthers: boolean
  /** What may be done without a signal. */
  offline: { add: Offline; edit: Offline }
  indexes: readonly string[]
}

type Show<T> = { [K in keyof T]: T[K] } & {}

type ValueOf<F> = F extends { kind: 'codes' } ? string[] : string | null

/** What a change says of a record. */
export type ContentOf<D extends Declaration> = Show<{
  -readonly [K in keyof D['fields']]: ValueOf<D['fields'][K]>
}>

type CodeNames<D extends Declaration> = D extends { codeNames: infer N }
  ? { -readonly [K in Extract<N[keyof N], string>]?: string | null }
  : unknown

/** What the CRM last confirmed. */
export type ServerOf<D extends Declaration> = Show<
  ContentOf<D> & typeof confirmed.infer & { -readonly [K in keyof D['told']]: string | null } & CodeNames<D>
>

export type ChangeOf<D extends Declaration> = Show<
  ChangeBase & { kind: D['kinds'][number]; fields: ContentOf<D> }
>

/** The record's document: what the CRM was read to say. */
export type StoredOf<D extends Declaration> = Show<
  typeof travelling.infer & { -readonly [K in keyof D['own']]: type.infer<D['own'][K]> } & {
    server?: ServerOf<D>
  }
>

/** The record as it is seen, with what was saved here (`record-view.ts`). */
export type RecordOf<D extends Declaration> = Show<
  StoredOf<D> & { changes: ChangeOf<D>[]; unsent: 'yes' | 'no' }
>

/** The fields that are typed into the form. */
export type TypedField<D extends Declaration> = {
  [K in keyof D['fields']]: D['fields'][K] extends { from: string } ? never : K
}[keyof D['fields']]

type DraftValue<F> = F extends { kind: 'codes'; table: infer T extends Table }
  ? Code<T>[]
  : F extends { kind: 'code'; table: infer T extends Table }
    ? Code<T> | (F extends { required: true } ? never : '')
    : string

/** What a form hands over once it is valid. */
export type DraftOf<D extends Declaration> = Show<{
  -readonly [K in TypedField<D>]: DraftValue<D['fields'][K]>
}>

/** A field as it is typed. */
export type InputValue<F> = F extends { kind: 'codes' } ? string[] : string

/** The form as it is typed: nothing chosen is [] or ''. */
export type InputOf<D extends Declaration> = Show<{
  -readonly [K in TypedField<D>]: InputValue<D['fields'][K]>
}>

type Answered<F, K> = F extends { answered: infer N extends string } ? N : K
type Named<T, Optional extends boolean> = {
  -readonly [
    K in keyof T as K extends `${infer N}?`
      ? Optional extends true
        ? N
        : never
      : Optional extends true
        ? never
        : K
  ]: T[K] extends 'id' | 'day' | 'type' ? string : string | null
}

/** The fields that somebody else may change: a screen that shows their changes names each. */
export type EditedField<D extends Declaration> = {
  [K in keyof D['fields']]: D['fields'][K] extends { fixed: true } ? never : K
}[keyof D['fields']]

/** A row that the CRM answers, once it is parsed. */
export type WireOf<D extends Declaration> = Show<
  { id: string } & Named<D['names'], false> &
    Partial<Named<D['names'], true>> & {
      -readonly [K in keyof D['fields'] as Answered<D['fields'][K], K>]?: string | null
    } & { -readonly [K in keyof D['told']]?: string | null } & CodeNames<D>
>
