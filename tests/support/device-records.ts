/** Records of a device for the tests of screens: small, whole, and changed where a test says so. */
import { blankFacts } from '#schemas/changes/change-queue.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

const DAY = '2026-11-20'

/** A request of 2026-11-20 with nothing but its code and place. */
export function requestRecord(id: string, over: Partial<RequestRecord> = {}): RequestRecord {
  return {
    key: visitKey(id, DAY),
    id,
    workingDate: DAY,
    sortKey: `${DAY}_0900_${id}`,
    requestCode: `R26-${id}`,
    workingDateType: '1',
    workingStartTime: `${DAY}T09:00:00+09:00`,
    workingEndTime: `${DAY}T12:00:00+09:00`,
    noWaterStartTime: null,
    noWaterEndTime: null,
    notificationDistributionDate: null,
    notificationDistributionName: null,
    situation: null,
    messageTts: null,
    inLocationContact: null,
    outLocationContact: null,
    inLocationContactChangeStatus: null,
    outLocationContactChangeStatus: null,
    inLocationContactChangeRequestId: null,
    outLocationContactChangeRequestId: null,
    customerLocationChangeStatus: null,
    customerLocationChangeRequestId: null,
    noteLocationAreaStatus: null,
    noteLocationAreaCount: 0,
    safetyStatus: null,
    safetyDirectionName: null,
    emergencyReportFolderId: null,
    orderFlag: '1',
    emergency: false,
    parkingType: null,
    parkingMethod: null,
    inMethod: null,
    locationAreaId: null,
    locationName: 'ベイサイド東雲 A棟 地下ピット',
    customerName: null,
    customerAddress: null,
    salesName: null,
    quickReport: null,
    detail: null,
    rowDigest: '',
    readStamp: '',
    confirmedAt: '2026-11-20T07:05:00+09:00',
    detailConfirmedAt: '2026-11-20T07:05:00+09:00',
    ...over,
  }
}

/** A change of that day, saved at `time` (HH:mm). */
export function quickReportChange(
  kind: QuickReportChange['kind'],
  time: string,
  over: Partial<QuickReportChange> = {},
): QuickReportChange {
  return {
    id: `${kind}-${time}`,
    stamp: `${time.replace(':', '')}-0000-test`,
    savedAt: `${DAY}T${time}:00+09:00`,
    userId: 'u6',
    offline: true,
    kind,
    fields: { inTime: null, outTime: null, type: null, reason1: null, reason2: null, reportContent: null },
    ...over,
  }
}

/** What one request of that day has unsent. */
export const quickReportRecord = (requestId: string, changes: QuickReportChange[]): QuickReportRecord => ({
  key: visitKey(requestId, DAY),
  requestId,
  workingDate: DAY,
  workingDateType: '1',
  serverId: '',
  changes,
  unsent: changes.length > 0 ? 'yes' : 'no',
})

/** Where a change of a record stands. */
export const ledgerEntry = (
  record: QuickReportRecord,
  change: QuickReportChange,
  over: Partial<SendFacts>,
): SendFacts => ({
  ...blankFacts({ record: { resource: 'quickReports', ...record }, change }),
  ...over,
})
