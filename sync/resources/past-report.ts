/**
 * Reads past reports: the newest pages for each machine (crm-contract 4). They are read rarely, because they rarely
 * change.
 */
import { type } from 'arktype'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_AHEAD } from '#schemas/limits.ts'
import { pastReportKey, pastReportsOf } from '#schemas/resources/past-report-key.ts'
import { pastReportWire, type PastReportRecord, type PastReportWire } from '#schemas/resources/past-report.ts'
import { listOwners } from '#schemas/collections/prefetch.ts'
import { storedRow, type SharedRow } from '#schemas/collections/shared.ts'
import { textsOf } from '#sync/wire/declared.ts'
import type { PullResource } from './resource.ts'

export const pastReportPull: PullResource<PastReportRecord & SharedRow> = {
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
  lifetime: 'seldom',
  basis: () => '',
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
