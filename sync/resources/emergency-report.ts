/** How emergency reports travel (crm-contract 4). */
import { wireOf } from '#schemas/derive.ts'
import { emergencyReport, type EmergencyReportRecord } from '#schemas/emergency-report.ts'
import { listOwners } from '#schemas/prefetch.ts'
import { isOurs } from '../wire/declared.ts'
import { createAndEdit } from './create-and-edit.ts'
import { declaredRow } from './declared-pull.ts'
import { requestIdIn, type PullResource } from './pull-resource.ts'
import { findOurs } from './read-back.ts'

const listPath = (requestId: string) => `emergencyReport/request/${encodeURIComponent(requestId)}`
const wire = wireOf(emergencyReport)

export const emergencyReports = createAndEdit(emergencyReport, (record, fields, read) => {
  const list = { path: listPath(record.requestId), query: { loginUserId: read.loginUserId }, paged: false }
  return findOurs(read, list, wire, (row) => isOurs(emergencyReport, record, fields, row))
})

export const emergencyReportPull: PullResource<EmergencyReportRecord> = {
  source: {
    kind: 'list',
    calls: ({ owner }, loginUserId) => [{ path: listPath(owner), query: { loginUserId }, paging: null }],
  },
  owners: listOwners.emergencyReports,
  kept: 'lists',
  because: ({ rowDigest }) => rowDigest,
  localSelector: (requestId) => ({ requestId }),
  ownerOf: ({ requestId }) => requestId,
  one: { path: 'emergencyReport', ownerIn: requestIdIn },
  row: declaredRow(
    emergencyReport,
    ({ id: key, workingDate }, { owner: requestId }) => ({
      blank: { key, requestId, workingDate: workingDate ?? '' },
      said: (local) => ({ workingDate: workingDate ?? local?.workingDate ?? '' }),
    }),
    { isFound: true },
  ),
}
