/** How a tab reads the CRM's reports: what the pull does with them, in short (RULES PL3). */
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { withOthersEdits } from '#sync/merge/merge.ts'
import { serverFromSummary } from '#sync/resources/quick-report.ts'
import type { Saver } from '#data/changes/changes.ts'
import type { AppInstance } from './app-instance.ts'
import type { CrmRequest } from './model-crm.ts'
import type { World } from './world.ts'

/** What the pull of quick reports does, in short: the CRM's state, read now, written a little later (RULES PL3, MG5). */
export async function readReports(
  world: World,
  app: AppInstance,
  clock: Saver['clock'],
  chance: number,
): Promise<void> {
  const stamp = clock.stamp()
  const isWhole = (chance * 10) % 1 < 0.5
  const found = await Promise.all(
    world.crm.requests.map(async (request) => ({ request, report: await world.crm.report(request) })),
  )
  await app.sleep(chance * 3_000)
  for (const { request, report } of found) {
    const key = visitKey(request.id, request.workingDate)
    const known = app.disk.view('quickReports', key) as QuickReportRecord | null
    const record = known ?? blank(request)
    if (!report) continue
    if (world.defect.pullTakesChanges) takeChanges(app, key)
    if (record.server && record.server.stamp > stamp) continue
    const { id, inTime, outTime, type, reason1, reason2, reportContent } = report
    const summary = { id, inTime, outTime, type, editStatus: 'OK' }
    // a row of requests says nothing of its text, which is read later, and only of a visit that is over
    const server =
      isWhole && outTime !== null
        ? { ...summary, reason1, reason2, reportContent, detailed: true, stamp }
        : serverFromSummary(summary, record.server, stamp)
    const read = { ...record, serverId: report.id, server }
    const { changes: _, unsent: __, ...row } = withOthersEdits('quickReports', record, read)
    app.disk.write('quickReports', record.key, row)
  }
}

/** A defect: what was read takes the place of what was saved. */
function takeChanges({ disk }: AppInstance, key: string): void {
  for (const change of disk.changes.values())
    if (change.recordKey === key) disk.write('changes', change.id, { ...change, _deleted: true })
}

const blank = ({ id, workingDate, workingDateType }: CrmRequest): QuickReportRecord => ({
  key: visitKey(id, workingDate),
  requestId: id,
  workingDate,
  workingDateType,
  serverId: '',
  changes: [],
  unsent: 'no',
})
