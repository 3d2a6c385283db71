/** Converts the CRM's row of a past report to a record (crm-contract 4). */
import { pastReportKey } from '#schemas/resources/past-report-key.ts'
import type { PastReportRecord, PastReportWire } from '#schemas/resources/past-report.ts'
import { textOrNull } from './fields.ts'

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
