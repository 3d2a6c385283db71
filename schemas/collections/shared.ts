/**
 * Kinds of rows that share a collection, for RxDB's free version allows 13 a page (decisions/storage). What travels to
 * the CRM, and what a list shows by an index of its own, has a collection to itself; all else is a kind in one of these
 * two:
 *
 *     own      what only this device has: it stays at a logout, and each write is flushed to disk (SV1)
 *     lookups  what was asked of the CRM and comes again: it goes whole at a logout
 *
 * A row is the record of its kind and `rowKey`, `drafts/<key>`. A kind is a range of these keys, which the primary index
 * answers: no query reads the rows of another kind. `db.drafts`, `db.interests` … are views of one kind (src/data/database/shared-kinds).
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import type { SupplierStaffRecord } from '#schemas/resources/supplier-staff.ts'

/** The record of each kind. */
export interface KindRecords {
  drafts: FormDraft
  interests: Interest
  pastReports: PastReportRecord
  supplierStaff: SupplierStaffRecord
}
export type SharedKind = keyof KindRecords

/** What every row has beside the fields of its record. */
export interface SharedRow {
  rowKey: string
}

/** Which collection holds a kind, and the field of its record that is its key. */
export const sharedKinds = {
  drafts: { in: 'own', key: 'key' },
  interests: { in: 'lookups', key: 'key' },
  pastReports: { in: 'lookups', key: 'key' },
  supplierStaff: { in: 'lookups', key: 'key' },
} as const satisfies Record<SharedKind, { in: string; key: string }>

export type SharedCollection = (typeof sharedKinds)[SharedKind]['in']
export const kindNames = Object.keys(sharedKinds) as SharedKind[]

export const isSharedKind = (name: string): name is SharedKind => name in sharedKinds

/** Longer than any kind and its keys. */
export const ROW_KEY_MAX = 320

export const rowKeyOf = (kind: string, key: string) => `${kind}/${key}`

/** The keys of a kind: from the first on, up to the second; `0` is what sorts after `/`. */
export const keyRange = (kind: SharedKind) => ({ from: `${kind}/`, before: `${kind}0` })

/** The key that a row has in its kind. */
export const ownKey = (kind: SharedKind, rowKey: string) => rowKey.slice(kind.length + 1)

export const isOfKind = (kind: SharedKind, rowKey: string) => rowKey.startsWith(`${kind}/`)

/** A record as it is stored. */
export const storedRow = <R extends object>(kind: SharedKind, record: R): R & SharedRow => ({
  ...record,
  rowKey: rowKeyOf(kind, String(Reflect.get(record, sharedKinds[kind].key))),
})
