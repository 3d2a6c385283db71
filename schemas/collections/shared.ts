/**
 * Kinds of rows that share a collection, because RxDB's free version allows 13 collections per page
 * (decisions/storage). Records that are sent, or that need an index, have a collection of their own. All others are a
 * kind in one of two shared collections:
 *
 *     own      exists only on this device: survives a logout, each write is flushed to disk (SV1)
 *     lookups  can be read from the CRM again: deleted at a logout
 *
 * A row is its kind's record plus `rowKey`, e.g. `drafts/<key>`. A kind is a range of these keys in the
 * primary index, so no query reads rows of another kind. `db.drafts`, `db.interests` and so on are views of
 * one kind (src/data/database/database.ts).
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import type { SupplierStaffRecord } from '#schemas/resources/supplier-staff.ts'

export interface KindRecords {
  drafts: FormDraft
  interests: Interest
  pastReports: PastReportRecord
  supplierStaff: SupplierStaffRecord
}
export type SharedKind = keyof KindRecords

export type SharedRow = { rowKey: string }

/** The collection of each kind, and the name of the record's key field. */
export const sharedKinds = {
  drafts: { in: 'own', key: 'key' },
  interests: { in: 'lookups', key: 'key' },
  pastReports: { in: 'lookups', key: 'key' },
  supplierStaff: { in: 'lookups', key: 'key' },
} as const satisfies Record<SharedKind, { in: string; key: string }>

export type SharedCollection = (typeof sharedKinds)[SharedKind]['in']
export const kindNames = Object.keys(sharedKinds) as SharedKind[]
export const isSharedKind = (name: string): name is SharedKind => name in sharedKinds
export const ROW_KEY_MAX = 320
export const rowKeyOf = (kind: string, key: string) => `${kind}/${key}`

/** Key range of a kind: `from` inclusive, `before` exclusive. The character after `/` is 0. */
export const keyRange = (kind: SharedKind) => ({ from: `${kind}/`, before: `${kind}0` })
export const ownKey = (kind: SharedKind, rowKey: string) => rowKey.slice(kind.length + 1)
export const isOfKind = (kind: SharedKind, rowKey: string) => rowKey.startsWith(`${kind}/`)

export const storedRow = <R extends object>(kind: SharedKind, record: R): R & SharedRow => ({
  ...record,
  rowKey: rowKeyOf(kind, String(Reflect.get(record, sharedKinds[kind].key))),
})
