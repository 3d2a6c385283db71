/** How far each act of a photo is on its way: a change of a record carries the same facts itself (`change.ts`). */
import { sending } from '#schemas/change.ts'

export const ledgerEntry = sending
export type LedgerEntry = typeof ledgerEntry.infer
export type { LedgerState } from '#schemas/change.ts'
