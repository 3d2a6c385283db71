/**
 * Reads the staff of the user's company: after each start of the app, and when the list is no longer fresh
 * (crm-contract 4). The list belongs to no request, so it has no `owners` and an empty `basis`.
 */
import { type } from 'arktype'
import {
  supplierStaffWire,
  type SupplierStaffRecord,
  type SupplierStaffWire,
} from '#schemas/resources/supplier-staff.ts'
import { storedRow, type SharedRow } from '#schemas/collections/shared.ts'
import type { PullResource } from './resource.ts'

export const supplierStaffPull: PullResource<SupplierStaffRecord & SharedRow> = {
  source: {
    kind: 'list',
    calls: ({ owner }, loginUserId) => [
      { path: `supplierStaff/${encodeURIComponent(owner)}`, query: { loginUserId }, paging: null },
    ],
  },
  lifetime: 'seldom',
  basis: () => '',
  localSelector: (supplierId) => ({ supplierId }),
  ownerOf: ({ supplierId }) => supplierId,
  row(raw, { owner }) {
    const wire = supplierStaffWire(raw)
    if (wire instanceof type.errors) return wire
    const record = storedRow('supplierStaff', toSupplierStaff(wire, owner))
    return { id: wire.id, key: record.key, record: () => record }
  },
}

export const toSupplierStaff = (wire: SupplierStaffWire, supplierId: string): SupplierStaffRecord => ({
  key: wire.id,
  name: wire.name ?? '',
  supplierId,
  userFlag: wire.userFlag ?? null,
})
