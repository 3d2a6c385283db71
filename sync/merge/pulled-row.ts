/** A CRM row and its local record, as the merge uses them. */
import type { PushableRecord } from '#schemas/change.ts'

/** The part of a local record that the pull uses. A read-only record has no `changes`. */
export type LocalRecord = { key: string } & Partial<
  Pick<PushableRecord, 'serverId' | 'changes' | 'history'>
> & {
    server?: { stamp: string; detailed: boolean } | undefined
  }

/** A row that was read. */
export interface PulledRow<R> {
  id: string
  /** Key of a new record, if the device has none with this id. */
  key: string
  /**
   * The record with the row's state.
   * @param local the local record, whose changes stay as they are
   */
  record(local: R | undefined, stamp: string): R
  /** True if a create of this record with these fields may have made the row (RULES PL3). */
  isOf?(record: R, fields: object, loginUserId: string): boolean
}
