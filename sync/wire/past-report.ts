/** A past report of the CRM → the record on the device (crm-contract 4). */
import { pastReportKey, type PastReportRecord, type PastReportWire } from '#schemas/past-report.ts'
import { orNull } from './fields.ts'

export const toPastReport = (wire: PastReportWire, deviceId: string): PastReportRecord => ({
  key: pastReportKey(deviceId, wire.id),
  deviceId,
  id: wire.id,
  workingDate: wire.workingDate,
  workingStartTime: orNull(wire.workingStartTime),
  workingEndTime: orNull(wire.workingEndTime),
  reportCatName: orNull(wire.reportCatName),
  supplierName: orNull(wire.supplierName),
  supplierStaffName: orNull(wire.supplierStaffName),
  requestDetail: orNull(wire.requestDetail),
  specialComment: orNull(wire.specialComment),
  emergencyReports: (wire.emergencyReport ?? []).map((emergency) => ({
    id: orNull(emergency.id),
    emergencyContentsName: orNull(emergency.emergencyContentsName),
    emergencyContentsDetails: orNull(emergency.emergencyContentsDetails),
    riskName: orNull(emergency.riskName),
    correspondenceDateName: orNull(emergency.correspondenceDateName),
    ttsStaffContactName: orNull(emergency.ttsStaffContactName),
  })),
})
