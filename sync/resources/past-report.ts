/**
 * How past reports are read: the newest pages for each machine (crm-contract 4). They change rarely, so they are read
 * rarely.
 */
import { type } from 'arktype'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_AHEAD } from '#schemas/limits.ts'
import { pastReportKey, pastReportsOf } from '#schemas/resources/past-report-key.ts'
import { pastReportWire, type PastReportRecord, type PastReportWire } from '#schemas/resources/past-report.ts'
import { listOwners } from '#schemas/collections/prefetch.ts'
import { storedRow, type SharedRow } from '#schemas/collections/shared.ts'
import { textOrNull } from '#sync/wire/declared.ts'
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

/** Converts the row to a record. */
export const toPastReport = (wire: PastReportWire, deviceId: string): PastReportRecord => ({
  key: pastReportKey(deviceId, wire.id),
  deviceId,
  id: wire.id,
  workingDate: wire.workingDate,
  workingStartTime: textOrNull(wire.workingStartTime),
  workingEndTime: textOrNull(wire.workingEndTime),
  reportCatName: textOrNull(wire.reportCatName),
  supplierName: textOrNull(wire.supplierName),
  supplierStaffName: textOrNull(wire.supplierStaffName),
  requestDetail: textOrNull(wire.requestDetail),
  specialComment: textOrNull(wire.specialComment),
  emergencyReports: (wire.emergencyReport ?? []).map((emergency) => ({
    id: textOrNull(emergency.id),
    emergencyContentsName: textOrNull(emergency.emergencyContentsName),
    emergencyContentsDetails: textOrNull(emergency.emergencyContentsDetails),
    riskName: textOrNull(emergency.riskName),
    correspondenceDateName: textOrNull(emergency.correspondenceDateName),
    ttsStaffContactName: textOrNull(emergency.ttsStaffContactName),
  })),
})
