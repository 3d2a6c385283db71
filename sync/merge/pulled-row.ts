/** A row of the CRM and the record on the device that it belongs to, as the merge sees them. */
import type { PushableRecord } from '#schemas/change.ts'

/** A record on the device, as far as the pull looks at it: one that only comes from the CRM has no `changes`. */
export type LocalRecord = { key: string } & Partial<
  Pick<PushableRecord, 'serverId' | 'changes' | 'history'>
> & {
    server?: { stamp: string; detailed: boolean } | undefined
  }

/** A row that was read. */
export interface PulledRow<R> {
  id: string
  /** The key it gets where the device has no record of this id. */
  key: string
  /** @param local the record it belongs to, whose changes stay as they are */
  record(local: R | undefined, stamp: string): R
  /** Whether it is what a change of a local record was to make: that one is resolved first (RULES PL3). */
  isOf?(record: R, fields: object, loginUserId: string): boolean
}
