/** The staff of the user's company: read only (crm-contract 4: `supplierStaff/{supplierId}`). */
import { type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'
import { wireCode, wireId, wireText } from '#schemas/declare/wire.ts'

export const supplierStaffRecord = type({
  /** The CRM's id. */
  key: `string <= ${ID_MAX}`,
  name: 'string',
  supplierId: `string <= ${ID_MAX}`,
  userFlag: 'string | null',
})
export type SupplierStaffRecord = typeof supplierStaffRecord.infer

/** A row of `GET supplierStaff/{supplierId}`. */
export const supplierStaffWire = type({ id: wireId, 'name?': wireText, 'userFlag?': wireCode })
export type SupplierStaffWire = typeof supplierStaffWire.infer
