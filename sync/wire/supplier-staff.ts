/** Converts the CRM's row of a staff member to a record (crm-contract 4). */
import type { SupplierStaffRecord, SupplierStaffWire } from '#schemas/resources/supplier-staff.ts'
import { undefinedToNull } from './fields.ts'

export const toSupplierStaff = (wire: SupplierStaffWire, supplierId: string): SupplierStaffRecord => ({
  key: wire.id,
  name: wire.name ?? '',
  supplierId,
  userFlag: undefinedToNull(wire.userFlag),
})
