/**
 * The table of what travels to the CRM: one row per collection that is pushed. The engine (sender, push) knows no
 * resource by name; a new one is a row here, a mapping in `wire/`, and its schema.
 */
import { type } from 'arktype'
import { effectiveChanges } from '#schemas/change-queue.ts'
import { quickReportCreated, type QuickReportChange, type QuickReportRecord } from '#schemas/quick-report.ts'
import { requestWire } from '#schemas/request.ts'
import type { Outcome } from './outcome.ts'
import type { Api, WriteCall } from './transport/api.ts'
import { editBody, entryBody, exitBody, sameInstant, serverAfter } from './wire/quick-report.ts'

/** What to send for a change, and for which records it speaks at once. */
export interface Plan {
  call: WriteCall
  /** Keys of the records that this one call settles (bulk exit). */
  recordKeys: string[]
}

/** `ours`: the CRM has it; `absent`: it does not; else the read itself failed. */
export type ReadBack =
  | { kind: 'ours'; serverId: string }
  | { kind: 'absent' }
  | { kind: 'failed'; outcome: Outcome }

interface QuickReportResource {
  collection: 'quickReports'
  /** @param group the records whose change shares `change.group`, this one among them */
  plan(change: QuickReportChange, group: QuickReportRecord[], loginUserId: string): Plan | null
  /** The CRM's id in the answer to a creating call; null when the answer is not usable. */
  createdId(body: unknown): string | null
  readBack(record: QuickReportRecord, change: QuickReportChange, read: ReadRequest): Promise<ReadBack>
  settle(
    record: QuickReportRecord,
    change: QuickReportChange,
    serverId: string,
    stamp: string,
  ): QuickReportRecord
}

interface ReadRequest {
  api: Api
  loginUserId: string
}

export const quickReports: QuickReportResource = {
  collection: 'quickReports',

  plan(change, group, loginUserId) {
    const [record] = group
    if (!record) return null
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

  async readBack(record, change, { api, loginUserId }) {
    const path = `request/${encodeURIComponent(record.requestId)}`
    const outcome = await api.read(path, { supplierStaffId: loginUserId, workingDate: record.workingDate })
    if (outcome.kind === 'missing' || outcome.kind === 'refused') return { kind: 'absent' }
    if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
    const row = requestWire(outcome.body)
    if (row instanceof type.errors)
      return { kind: 'failed', outcome: { kind: 'unknown', status: outcome.status } }
    const report = row.workingDate === record.workingDate ? row.quickReport : null
    return report && sameInstant(report.inTime ?? null, change.fields.inTime)
      ? { kind: 'ours', serverId: report.id }
      : { kind: 'absent' }
  },

  settle(record, change, serverId, stamp) {
    const changes = withoutSettled(record.changes, change)
    return {
      ...record,
      serverId,
      server: serverAfter(record.server, change, serverId, stamp),
      changes,
      unsent: changes.length > 0 ? 'yes' : 'no',
    }
  },
}

/** The changes that are left once this one is settled: it goes, and the earlier ones it had replaced. */
export function withoutSettled<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  settled: C,
): C[] {
  const alsoSettled = effectiveChanges(changes.filter((change) => change.stamp <= settled.stamp))
  return changes.filter(
    (change) =>
      change.id !== settled.id &&
      (change.stamp > settled.stamp || alsoSettled.some(({ id }) => id === change.id)),
  )
}
