/**
 * Reads the records that are only read (crm-contract 4): past reports, the newest pages for each machine, and the
 * staff of the user's company, whose list belongs to no request. Both rarely change.
 */
import { type } from 'arktype'
import { listOwners } from '#schemas/collections/prefetch.ts'
import { storedRow, type SharedRow } from '#schemas/collections/shared.ts'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_AHEAD } from '#schemas/limits.ts'
import { pastReportKey, pastReportsOf } from '#schemas/resources/visit-key.ts'
import { pastReportWire, type PastReportRecord, type PastReportWire } from '#schemas/resources/past-report.ts'
import {
  supplierStaffWire,
  type SupplierStaffRecord,
  type SupplierStaffWire,
} from '#schemas/resources/supplier-staff.ts'
import { textsOf } from '#sync/wire/declared.ts'
import type { PullResource } from './resource.ts'

const SELDOM = { lifetime: 'seldom', basis: () => '' } as const

export const pastReportPull: PullResource<PastReportRecord & SharedRow> = {
  ...SELDOM,
  source: {
    kind: 'list',
    isEmptyAt404: true,
    calls: ({ owner, fetchRequest }, loginUserId) => [
      {
        path: `report/${encodeURIComponent(owner)}`,
        query: { loginUserId },
        paging: {
          limit: DEVICE_REPORT_LIMIT,
          maxPages: Math.max(DEVICE_REPORT_PAGES_AHEAD, fetchRequest?.pages ?? 0),
        },
      },
    ],
  },
  owners: listOwners.pastReports,
  localSelector: pastReportsOf,
  ownerOf: ({ deviceId }) => deviceId,
  row(raw, { owner }) {
    const wire = pastReportWire(raw)
    if (wire instanceof type.errors) return wire
    const record = storedRow('pastReports', toPastReport(wire, owner))
    return { id: wire.id, key: record.key, record: () => record }
  },
}

export const toPastReport = (wire: PastReportWire, deviceId: string): PastReportRecord => ({
  key: pastReportKey(deviceId, wire.id),
  deviceId,
  id: wire.id,
  workingDate: wire.workingDate,
  ...textsOf(wire, ['workingStartTime', 'workingEndTime', 'reportCatName']),
  ...textsOf(wire, ['supplierName', 'supplierStaffName', 'requestDetail', 'specialComment']),
  emergencyReports: (wire.emergencyReport ?? []).map((emergency) => ({
    ...textsOf(emergency, ['id', 'emergencyContentsName', 'emergencyContentsDetails', 'riskName']),
    ...textsOf(emergency, ['correspondenceDateName', 'ttsStaffContactName']),
  })),
})

export const supplierStaffPull: PullResource<SupplierStaffRecord & SharedRow> = {
  ...SELDOM,
  source: {
    kind: 'list',
    calls: ({ owner }, loginUserId) => [
      { path: `supplierStaff/${encodeURIComponent(owner)}`, query: { loginUserId }, paging: null },
    ],
  },
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
