/**
 * Collections that became kinds of a shared one (`schemas/shared.ts`): each document lies there as it was, under its kind.
 * Counted as a version of their own, so that a build from before says that it is the older one. Never changed: phones may
 * come from any version. What a kind stores is changed by a version of the collection it lies in.
 */
import type { CollectionName } from '../collections.ts'

export interface Move {
  /** The version since which the collection is none any more. */
  readonly version: number
  /** The collection it lies in, and the version of that one whose rows the move makes. */
  readonly into: CollectionName
  readonly at: number
  /** The field that was its primary key. */
  readonly primaryKey: string
}
export type Moved = Readonly<Record<string, Move>>

export const moved: Moved = {
  ledger: { version: 1, into: 'own', at: 0, primaryKey: 'id' },
  drafts: { version: 1, into: 'own', at: 0, primaryKey: 'key' },
  interests: { version: 1, into: 'lookups', at: 0, primaryKey: 'key' },
  pastReports: { version: 1, into: 'lookups', at: 0, primaryKey: 'key' },
  supplierStaff: { version: 1, into: 'lookups', at: 0, primaryKey: 'key' },
}
