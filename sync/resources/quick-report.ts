/** How quick reports travel: entry, exit of one or several, edit (crm-contract 4). */
import { type } from 'arktype'
import { quickReportCreated, type QuickReportRecord } from '#schemas/quick-report.ts'
import { editBody, entryBody, exitBody, sameInstant, serverAfter } from '../wire/quick-report.ts'
import type { PushResource } from './push-resource.ts'
import { readRequestRow } from './read-back.ts'

export const quickReports: PushResource<QuickReportRecord> = {
  plan({ record, change }, group, loginUserId) {
    if (change.kind === 'entry')
      return {
        call: {
          method: 'POST',
          path: 'quickReport/',
          body: entryBody(record, change, loginUserId),
          idempotencyKey: change.id,
        },
        recordKeys: [record.key],
      }
    const known = group.filter((member) => member.serverId !== '')
    if (known.length === 0) return null
    if (change.kind === 'edit' && record.server?.outTime)
      return {
        call: {
          method: 'PUT',
          path: `quickReport/${encodeURIComponent(record.serverId)}`,
          body: editBody(change.fields, loginUserId),
        },
        recordKeys: [record.key],
      }
    const serverIds = known.map((member) => member.serverId)
    return {
      call: {
        method: 'PUT',
        path: 'quickReport/requestUpdate',
        body: exitBody(change.fields, serverIds, loginUserId),
      },
      recordKeys: known.map((member) => member.key),
    }
  },

  createdId(body) {
    const created = quickReportCreated(body)
    return created instanceof type.errors ? null : created.id
  },

  async readBack({ record, change }, read) {
    const found = await readRequestRow(read, record.requestId, record.workingDate)
    if (found.kind !== 'row') return found
    const { row } = found
    const report = row.workingDate === record.workingDate ? row.quickReport : null
    return report && sameInstant(report.inTime ?? null, change.fields.inTime)
      ? { kind: 'ours', serverId: report.id }
      : { kind: 'absent' }
  },

  serverAfter: ({ record, change }, serverId, stamp) => serverAfter(record.server, change, serverId, stamp),
}
