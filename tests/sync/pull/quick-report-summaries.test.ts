/** What a request row says of its report counts only where it was read after the report itself (RULES PL3). */
import { expect, test } from 'vitest'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { reconcileSummaries, type RequestSummary } from '#sync/pull/records/pull-quick-reports.ts'
import { until } from '../../support/device.ts'
import { replicationScene } from '../../support/replication.ts'
import { serveRows, windowRows } from '../../support/search-pages.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

const IN = '2026-11-20T08:56:00+09:00'
const OUT = '2026-11-20T10:00:00+09:00'
const whose = { key: 'r1_2026-11-20', workingDate: '2026-11-20', workingDateType: '1' } as const
const report: QuickReportRecord = {
  ...whose,
  requestId: 'r1',
  serverId: 'q1',
  changes: [],
  unsent: 'no',
  server: {
    id: 'q1',
    inTime: IN,
    outTime: OUT,
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: 'x',
    editStatus: null,
    detailed: true,
    stamp: '5',
  },
}
const entered = { id: 'q1', inTime: IN, outTime: null, type: null, editStatus: null }

test.each<[string, RequestSummary['quickReport'], object]>([
  ['that it has no exit', entered, { serverId: 'q1', server: { outTime: null, stamp: '6' } }],
  ['that there is none', null, { _deleted: true }],
])('[PL3] a row says %s: believed only where it was read after the report', (_, quickReport, wanted) => {
  const saidAt = (readStamp: string) =>
    reconcileSummaries([{ ...whose, id: 'r1', quickReport, readStamp }], [report])
  expect(saidAt('4')).toEqual([])
  expect(saidAt('5')).toEqual([])
  expect(saidAt('6')).toMatchObject([wanted])
})

test('[PL5] as often as the row says something new of a report, its content is read again', async () => {
  const device = await app.open()
  const { key, serverId, server } = await until(async () => {
    const docs = await viewsIn(device.db, 'quickReports', { workingDate: '2026-11-20' })
    return docs.find((report) => report.server?.outTime && report.server.detailed) ?? false
  })
  const rows = await windowRows(app)
  const reads = () =>
    app.crm.calls.filter(({ method, path }) => method === 'GET' && path.includes(`quickReport/${serverId}`))
  for (const type of ['1', '2', '3'].filter((one) => one !== server?.type)) {
    const before = reads().length
    await serveRows(
      app,
      rows.map((row) =>
        visitKey(row.id, row.workingDate) === key
          ? { ...row, quickReport: { ...row.quickReport, type } }
          : row,
      ),
    )
    app.phone.now += 60_000
    await askRefresh(device.db, app.phone.now)
    await until(() => reads().length > before)
  }
})
