/** A member of staff of the CRM → the record on the device (crm-contract 4). */
import type { SupplierStaffRecord, SupplierStaffWire } from '#schemas/resources/supplier-staff.ts'
import { orNull } from './fields.ts'

export const toSupplierStaff = (wire: SupplierStaffWire, supplierId: string): SupplierStaffRecord => ({
  key: wire.id,
  name: wire.name ?? '',
  supplierId,
  userFlag: orNull(wire.userFlag),
})
