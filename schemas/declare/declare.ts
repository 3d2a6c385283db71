/**
 * The declaration of a resource: plain data without ArkType, from which everything that depends on its fields
 * is derived.
 *
 *     schemas/resources/<slug>.ts ─┬─ types     ContentOf, ServerOf, StoredOf, RecordOf, DraftOf …  (this file)
 *                                  ├─ values    a form's initial and saved values                   (form-values.ts)
 *                                  ├─ ArkType   draft, wire, record → RxDB schema                   (derive.ts)
 *                                  ├─ wire      request body, server state, row identity            (sync/wire/declared.ts)
 *                                  └─ laws      tests/sync/merge/declared-laws.test.ts, for every declaration
 */
import type { type } from 'arktype'
import type { ChangeBase, recordFields, serverFields } from '#schemas/change.ts'
import type { Code } from '#schemas/code-table.ts'
import type { TextRule, Wording } from './text-rules.ts'

interface Table {
  options: readonly { code: string; label: string }[]
  label(code: string): string
}

interface AnyField {
  /** The source of the value, if the user does not type it into the form. */
  from?: 'visit' | 'clock' | 'choice'
  /** True if nobody else changes this field, even if others may edit the record. */
  fixed?: true
  /** The field's name in the CRM's answers, if it differs from the name in request bodies. */
  responseName?: string
  /** True if the CRM never omits this field. A row without it is not the row that was sent. */
  alwaysReturned?: true
  /** The field is required while each of these other fields has one of these values. */
  requiredWhile?: Readonly<Record<string, readonly string[]>>
  /** Name of a field whose value this field must repeat, like the confirmation of a password. */
  sameAs?: string
}
/** A text. For `rule` and `wording` see `text-rules.ts`. */
interface TextField extends AnyField {
  kind: 'text'
  /** Maximum length in characters. */
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
/** Several codes: an array on the device, comma-separated in the CRM. Empty means that nothing was chosen. */
interface CodesField extends AnyField {
  kind: 'codes'
  table: Table
  required: true
}
/** A time in ISO 8601, sent with +09:00 (sync RULES WR1). */
interface TimeField extends AnyField {
  kind: 'time'
}
export type Field = TextField | CodeField | CodesField | TimeField

/** How a value of a CRM row is parsed. `type` is a required code. A `date` may be absent, a `day` may not. */
export type WireKind = 'id' | 'text' | 'code' | 'type' | 'time' | 'date' | 'day'

/** What a form can do without a signal (`offline-policy.ts`). */
export type Offline = 'works' | 'open-forms' | 'needs-signal'

/** The kind of thing that a list belongs to. A visit is a request on one day. */
export type ListOwner = 'requestId' | 'locationAreaId' | 'visit'

/** The declaration of one resource. */
export interface Declaration {
  /** Singular name in URLs, drafts and file names; the collection is its plural. */
  slug: string
  /** Path under `{rest}`: POST creates a record; PUT and GET append its id. */
  path: string
  /** The editable fields, in the order of the contract. */
  fields: Readonly<Record<string, Field>>
  /** Fields that only the CRM sets. */
  crmOnlyFields: Readonly<Record<string, WireKind>>
  /** The CRM's display names of codes (spec 3): from the code's field to the name's field in responses. */
  codeNames?: Readonly<Record<string, string>>
  /**
   * Ids and keys in a row besides its own id: those of the records that it belongs to. A name that ends with ? may be
   * absent.
   */
  names: Readonly<Record<string, WireKind>>
  /** The record's fields besides those that all records have, as ArkType definitions. */
  own: Readonly<Record<string, string>>
  /** Kinds of changes. */
  kinds: readonly string[]
  /**
   * Fields of a request body besides the content, from body name to record field. `null` if the resource has no such
   * call, or code of its own for it.
   */
  sends: {
    create: Readonly<Record<string, string>> | null
    edit: Readonly<Record<string, string>> | null
  }
  /**
   * What identifies a row as the one that this device has created (crm-contract 4, reading back): names that
   * must be equal, names that must be equal if the row has them, and content fields that must match.
   */
  identity: {
    required: readonly string[]
    ifReturned: readonly string[]
    content: 'all' | readonly string[]
  }
  /** True if the CRM refuses to create a second such record (sync RULES OC9). */
  refusesSecond: boolean
  /** What the resource's list belongs to; `null` if the request's row summarises it instead of a list. */
  owner: ListOwner | null
  /**
   * `of-request`: GET `{path}/request/{id}` returns a request's whole list, and created records are found
   * again there; `sync/resources/declared-resource.ts` handles it. `own`: `sync/resources/<slug>.ts` has its code.
   */
  list: 'of-request' | 'own'
  /** Fields that are only valid together (sync RULES MG2). */
  together: readonly string[]
  /** True if other people of the company may edit the record; their changes are shown (sync RULES MG5). */
  editedByOthers: boolean
  /** What the forms can do without a signal. */
  offline: { add: Offline; edit: Offline }
  indexes: readonly string[]
}

type Show<T> = { [K in keyof T]: T[K] } & {}

type ValueOf<F> = F extends { kind: 'codes' } ? string[] : string | null

/** The content of a change. */
export type ContentOf<D extends Declaration> = Show<{
  -readonly [K in keyof D['fields']]: ValueOf<D['fields'][K]>
}>

type CodeNames<D extends Declaration> = D extends { codeNames: infer N }
  ? { -readonly [K in Extract<N[keyof N], string>]?: string | null }
  : unknown

/** The state that the CRM last confirmed. */
export type ServerOf<D extends Declaration> = Show<
  ContentOf<D> &
    typeof serverFields.infer & { -readonly [K in keyof D['crmOnlyFields']]: string | null } & CodeNames<D>
>

export type ChangeOf<D extends Declaration> = Show<
  ChangeBase & { kind: D['kinds'][number]; fields: ContentOf<D> }
>

/** The stored document: the record as read from the CRM. */
export type StoredOf<D extends Declaration> = Show<
  typeof recordFields.infer & { -readonly [K in keyof D['own']]: type.infer<D['own'][K]> } & {
    server?: ServerOf<D>
  }
>

/** The record with its local changes (`record-view.ts`). */
export type RecordOf<D extends Declaration> = Show<
  StoredOf<D> & { changes: ChangeOf<D>[]; unsent: 'yes' | 'no' }
>

/** The fields that the user enters in the form. */
export type TypedField<D extends Declaration> = {
  [K in keyof D['fields']]: D['fields'][K] extends { from: string } ? never : K
}[keyof D['fields']]

type DraftValue<F> = F extends { kind: 'codes'; table: infer T extends Table }
  ? Code<T>[]
  : F extends { kind: 'code'; table: infer T extends Table }
    ? Code<T> | (F extends { required: true } ? never : '')
    : string

/** The values of a valid form. */
export type DraftOf<D extends Declaration> = Show<{
  -readonly [K in TypedField<D>]: DraftValue<D['fields'][K]>
}>

/** Type of a field's input value. */
export type InputValue<F> = F extends { kind: 'codes' } ? string[] : string

/** The form's input; [] or '' means that nothing was entered. */
export type InputOf<D extends Declaration> = Show<{
  -readonly [K in TypedField<D>]: InputValue<D['fields'][K]>
}>

type ResponseName<F, K> = F extends { responseName: infer N extends string } ? N : K
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

/** The fields that somebody else may change. A screen that shows their changes has a label for each. */
export type EditedField<D extends Declaration> = {
  [K in keyof D['fields']]: D['fields'][K] extends { fixed: true } ? never : K
}[keyof D['fields']]

/** A parsed row of a CRM response. */
export type WireOf<D extends Declaration> = Show<
  { id: string } & Named<D['names'], false> &
    Partial<Named<D['names'], true>> & {
      -readonly [K in keyof D['fields'] as ResponseName<D['fields'][K], K>]?: string | null
    } & { -readonly [K in keyof D['crmOnlyFields']]?: string | null } & CodeNames<D>
>
