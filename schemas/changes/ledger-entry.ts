/** How far each act of a photo is on its way: a change of a record carries the same facts itself (`change.ts`). */
import { sending } from './change.ts'

export const ledgerEntry = sending
export type LedgerEntry = typeof ledgerEntry.infer
export type { LedgerState } from './change.ts'
