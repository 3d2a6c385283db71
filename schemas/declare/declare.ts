/**
 * The declaration of a resource is plain data without ArkType. All code that depends on the resource's fields is
 * derived from it.
 *
 *     schemas/resources/<slug>.ts ─┬─ types     ContentOf, ServerOf, StoredOf, RecordOf, DraftOf …  (this file)
 *                                  ├─ values    a form's initial and saved values                   (form-values.ts)
 *                                  ├─ ArkType   draft, wire                                         (derive.ts)
 *                                  ├─ stored    record → RxDB schema                                (.build/rx-schemas.ts)
 *                                  ├─ wire      request body, server state, row identity            (sync/wire/declared.ts)
 *                                  └─ laws      tests/sync/merge/declared-laws.test.ts, for every declaration
 */
import type { type } from 'arktype'
import type { ChangeBase, recordFields, serverFields } from '#schemas/change.ts'
import type { Code } from '#schemas/code-table.ts'
import type { TextRule, Wording } from './text-rules.ts'

type Table = { options: readonly { code: string; label: string }[]; label(code: string): string }

interface AnyField {
  /** Where the value comes from if the user does not type it. */
  from?: 'visit' | 'clock' | 'choice'
  /** True if other people cannot change this field, even if they may edit the record. */
  fixed?: true
  /** The field's name in answers, if it differs from the name in request bodies. */
  responseName?: string
  /** True if the CRM always returns this field. A row without it then cannot be the row that this device sent. */
  alwaysReturned?: true
  /** The field is required while another field has one of these values. */
  requiredWhile?: Readonly<Record<string, readonly string[]>>
  /** Name of a field whose value must be repeated here, as for a password's confirmation. */
  sameAs?: string
}
type TextField = AnyField & { kind: 'text'; max: number; required?: true; rule?: TextRule; wording?: Wording }
type CodeField = AnyField & { kind: 'code'; table: Table; required?: true }
/** Several codes: an array on the device, joined by commas in the CRM. Empty means no choice. */
type CodesField = AnyField & { kind: 'codes'; table: Table; required: true }
/** A time in ISO 8601, sent with +09:00 (sync RULES WR1). */
type TimeField = AnyField & { kind: 'time' }
export type Field = TextField | CodeField | CodesField | TimeField

/** How a value in a row is parsed. A `type` is a code that must be present, like a `day`; a `date` may be absent. */
export type WireKind = 'id' | 'text' | 'code' | 'type' | 'time' | 'date' | 'day'

/** What a form can do without a signal (`offline-policy.ts`). */
export type Offline = 'works' | 'open-forms' | 'needs-signal'

/** What a list of records belongs to: a request, an area, or a visit, which is a request on one day. */
export type ListOwner = 'requestId' | 'locationAreaId' | 'visit'

export interface Declaration {
  /** Singular name in URLs, drafts and file names. The collection has the plural. */
  slug: string
  /** Path under `{rest}`. A POST creates a record here; PUT and GET append the record's id. */
  path: string
  /** The fields that users edit, in the contract's order. */
  fields: Readonly<Record<string, Field>>
  /** Fields that only the CRM sets. */
  crmOnlyFields: Readonly<Record<string, WireKind>>
  /** The CRM's display names of codes (spec 3): field of the code → field of the name in answers. */
  codeNames?: Readonly<Record<string, string>>
  /** Ids and keys of other records in a row, such as the request's id. A name that ends with ? may be absent. */
  names: Readonly<Record<string, WireKind>>
  /** Fields of the stored record that only this resource has, such as `contactType`, as ArkType definitions. */
  own: Readonly<Record<string, string>>
  kinds: readonly string[]
  /** Fields of a body besides the content: name in the body → name in the record. `null`: no such derived call. */
  sends: { create: Readonly<Record<string, string>> | null; edit: Readonly<Record<string, string>> | null }
  /**
   * How a read-back recognises the row that this device has created (crm-contract 4): ids and keys that must be
   * equal, those that must be equal if the row has them, and fields that must match.
   */
  identity: { required: readonly string[]; ifReturned: readonly string[]; content: 'all' | readonly string[] }
  /** True if the CRM allows only one such record and refuses a second (sync RULES OC9). */
  refusesSecond: boolean
  /** The owner of the resource's list; `null` if the request's row has a summary instead of a list. */
  owner: ListOwner | null
  /** `of-request`: GET `{path}/request/{id}` returns a request's records. `own`: `sync/resources/<slug>.ts` does. */
  list: 'of-request' | 'own'
  together: readonly string[]
  /** True if other people of the company may edit the record. Screens then show their changes (sync RULES MG5). */
  editedByOthers: boolean
  offline: { add: Offline; edit: Offline }
  indexes: readonly string[]
}

/** Makes the compiler show an intersection as one type with all its fields. */
type Show<T> = { [K in keyof T]: T[K] } & {}
type ValueOf<F> = F extends { kind: 'codes' } ? string[] : string | null

export type ContentOf<D extends Declaration> = Show<{
  -readonly [K in keyof D['fields']]: ValueOf<D['fields'][K]>
}>

type CodeNames<D extends Declaration> = D extends { codeNames: infer N }
  ? { -readonly [K in Extract<N[keyof N], string>]?: string | null }
  : unknown

/** The record's last confirmed state in the CRM. */
export type ServerOf<D extends Declaration> = Show<
  ContentOf<D> &
    typeof serverFields.infer & { -readonly [K in keyof D['crmOnlyFields']]: string | null } & CodeNames<D>
>

export type ChangeOf<D extends Declaration> = Show<
  ChangeBase & { kind: D['kinds'][number]; fields: ContentOf<D> }
>

export type StoredOf<D extends Declaration> = Show<
  typeof recordFields.infer & { -readonly [K in keyof D['own']]: type.infer<D['own'][K]> } & {
    server?: ServerOf<D>
  }
>

/** The record with its local changes (`record-view.ts`). */
export type RecordOf<D extends Declaration> = Show<
  StoredOf<D> & { changes: ChangeOf<D>[]; unsent: 'yes' | 'no' }
>

export type TypedField<D extends Declaration> = {
  [K in keyof D['fields']]: D['fields'][K] extends { from: string } ? never : K
}[keyof D['fields']]

type DraftValue<F> = F extends { kind: 'codes'; table: infer T extends Table }
  ? Code<T>[]
  : F extends { kind: 'code'; table: infer T extends Table }
    ? Code<T> | (F extends { required: true } ? never : '')
    : string

export type DraftOf<D extends Declaration> = Show<{
  -readonly [K in TypedField<D>]: DraftValue<D['fields'][K]>
}>

export type InputValue<F> = F extends { kind: 'codes' } ? string[] : string

/** The input of a form; [] or '' for an empty field. */
export type InputOf<D extends Declaration> = Show<{
  -readonly [K in TypedField<D>]: InputValue<D['fields'][K]>
}>

type ResponseName<F, K> = F extends { responseName: infer N extends string } ? N : K
/** The fields in `names`: with `Optional` those whose name ends with ?, without it the others. */
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

/** The fields that other people may change. A screen that shows their changes has a label for each. */
export type EditedField<D extends Declaration> = {
  [K in keyof D['fields']]: D['fields'][K] extends { fixed: true } ? never : K
}[keyof D['fields']]

export type WireOf<D extends Declaration> = Show<
  { id: string } & Named<D['names'], false> &
    Partial<Named<D['names'], true>> & {
      -readonly [K in keyof D['fields'] as ResponseName<D['fields'][K], K>]?: string | null
    } & { -readonly [K in keyof D['crmOnlyFields']]?: string | null } & CodeNames<D>
>
