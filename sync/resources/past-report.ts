/**
 * How past reports are read: the newest pages of each device (crm-contract 4). They change rarely, so they
 * are read rarely.
 */
import { type } from 'arktype'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_AHEAD } from '#schemas/limits.ts'
import { pastReportsOf } from '#schemas/resources/past-report-key.ts'
import { pastReportWire, type PastReportRecord } from '#schemas/resources/past-report.ts'
import { listOwners } from '#schemas/collections/prefetch.ts'
import { storedRow, type SharedRow } from '#schemas/collections/shared.ts'
import { toPastReport } from '../wire/past-report.ts'
import type { PullResource } from './pull-resource.ts'

export const pastReportPull: PullResource<PastReportRecord & SharedRow> = {
  source: {
    kind: 'list',
    isEmptyAt404: true,
    calls: ({ owner, asked }, loginUserId) => [
      {
        path: `report/${encodeURIComponent(owner)}`,
        query: { loginUserId },
        paging: {
          limit: DEVICE_REPORT_LIMIT,
          maxPages: Math.max(DEVICE_REPORT_PAGES_AHEAD, asked?.pages ?? 0),
        },
      },
    ],
  },
  owners: listOwners.pastReports,
  lifetime: 'seldom',
  because: () => '',
  localSelector: pastReportsOf,
  ownerOf: ({ deviceId }) => deviceId,
  row(raw, { owner }) {
    const wire = pastReportWire(raw)
    if (wire instanceof type.errors) return wire
    const record = storedRow('pastReports', toPastReport(wire, owner))
    return { id: wire.id, key: record.key, record: () => record }
  },
}
