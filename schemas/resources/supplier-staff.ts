/** The staff of the user's company, which the app only reads (crm-contract 4). */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'
import { wireCode, wireId, wireText } from '#schemas/declare/wire.ts'

export const supplierStaffRecord = type({
  key: `string <= ${ID_MAX}`,
  name: 'string',
  supplierId: `string <= ${ID_MAX}`,
  userFlag: 'string | null',
})
export type SupplierStaffRecord = typeof supplierStaffRecord.infer
export const supplierStaffWire = type({ id: wireId, 'name?': wireText, 'userFlag?': wireCode })
export type SupplierStaffWire = typeof supplierStaffWire.infer
