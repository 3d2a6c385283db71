/** How emergency reports travel (crm-contract 4). */
import { type } from 'arktype'
import {
  emergencyReportWire,
  type EmergencyReportContent,
  type EmergencyReportRecord,
  type EmergencyReportServer,
} from '#schemas/emergency-report.ts'
import { listOwners } from '#schemas/prefetch.ts'
import { contentBody, isOurs, serverFromWire, UNREAD } from '../wire/emergency-report.ts'
import { createAndEdit } from './create-and-edit.ts'
import { requestIdIn, type PullResource } from './pull-resource.ts'
import { findOurs, parsing } from './read-back.ts'

interface Content {
  fields: EmergencyReportContent
  server: EmergencyReportServer
}

const listPath = (requestId: string) => `emergencyReport/request/${encodeURIComponent(requestId)}`

export const emergencyReports = createAndEdit<EmergencyReportRecord, Content>({
  path: 'emergencyReport',
  createBody: contentBody,
  refusesSecond: false,
  edit: { body: contentBody, parse: parsing(emergencyReportWire, serverFromWire) },
  readBack(record, fields, read) {
    const list = { path: listPath(record.requestId), query: { loginUserId: read.loginUserId }, paged: false }
    return findOurs(read, list, emergencyReportWire, (row) => isOurs(record, fields, row))
  },
  unread: UNREAD,
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
  row(raw, { owner }) {
    const wire = emergencyReportWire(raw)
    if (wire instanceof type.errors) return wire
    const blank = { key: wire.id, requestId: owner, changes: [], unsent: 'no' as const }
    return {
      id: wire.id,
      key: wire.id,
      record: (local, stamp) => ({
        ...(local ?? blank),
        workingDate: wire.workingDate ?? local?.workingDate ?? '',
        serverId: wire.id,
        server: { ...serverFromWire(wire), stamp },
      }),
      isOf: (record, fields) => isOurs(record, fields as EmergencyReportContent, wire),
    }
  },
}
