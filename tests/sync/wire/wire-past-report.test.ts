import { expect, test } from 'vitest'
import { pastReportWire } from '#schemas/resources/past-report.ts'
import { supplierStaffWire } from '#schemas/resources/supplier-staff.ts'
import { toPastReport, toSupplierStaff } from '#sync/resources/resource-table.ts'

test('[contract 2] a past report: absent is null, one record for each device', () => {
  const wire = pastReportWire.assert({ id: 5, workingDate: '2026-10-01', emergencyReport: [{ id: 'e1' }] })
  expect(toPastReport(wire, 'd1')).toMatchObject({
    key: 'd1_5',
    deviceId: 'd1',
    specialComment: null,
    emergencyReports: [{ id: 'e1', riskName: null }],
  })
})

test('[contract 2] an empty text of a past report says as little as null', () => {
  const row = (text: string | null) => {
    const emergency = { emergencyContentsName: text, emergencyContentsDetails: text, riskName: text }
    const names = { reportCatName: text, supplierName: text, supplierStaffName: text }
    const texts = { ...names, requestDetail: text, specialComment: text, emergencyReport: [emergency] }
    return toPastReport(pastReportWire.assert({ id: 5, workingDate: '2026-10-01', ...texts }), 'd1')
  }
  expect(row('')).toEqual(row(null))
})

test('[contract 4] a member of staff', () => {
  const wire = supplierStaffWire.assert({ id: 'ss-1', name: '田村', userFlag: 6 })
  expect(toSupplierStaff(wire, 's1')).toEqual({ key: 'ss-1', name: '田村', supplierId: 's1', userFlag: '6' })
})
