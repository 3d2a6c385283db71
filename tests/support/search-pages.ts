/** What the CRM would answer to the search of the window, changed as a test wants it. */
import { PAGE_SIZE } from '#schemas/limits.ts'
import type { DemoState } from '#demo-crm/tables.ts'
import { addDays } from '#demo-crm/seed/tokyo-day.ts'
import { TODAY, WINDOW_DAYS, type Replication } from './replication.ts'

type Row = ReturnType<DemoState['requests']>[number]

/** The rows of the window on the device: from yesterday to the last day that is planned. */
export async function windowRows(app: Replication): Promise<Row[]> {
  const { requests } = await app.crm.inspect()
  return requests('2026-11-19', addDays(TODAY, Math.min(app.daysAhead, WINDOW_DAYS)))
}

/** From now on a search gives these rows, page by page, however broken they are. */
export async function serveRows(app: Replication, rows: readonly object[], totals: number[] = []) {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_SIZE))
  for (let page = 0; page < pages; page++) {
    const offset = page * PAGE_SIZE + 1
    await app.crm.faults.add({
      id: `page ${page}`,
      kind: 'status',
      status: 200,
      count: 'always',
      path: `request/search.*offset=${offset}$`,
      body: rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
      headers: { 'x-total-count': String(totals[page] ?? rows.length) },
    })
  }
}
