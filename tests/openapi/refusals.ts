/** What the CRM refuses for the state of a record, and what it says to a body that is none. */
import type { Json } from '../demo-crm/harness.ts'
import type { Talk } from './conversation.ts'

const WEEK_BEFORE = { workingDateFrom: '2026-11-13', workingDateTo: '2026-11-19' }
const TOO_LONG_AGO = { workingDateFrom: '2026-11-10', workingDateTo: '2026-11-10' }
const CONFIRMED = '確認済で編集できない'

type Ask = Talk['ask']

const rowsOf = (ask: Ask, title: string, days: Record<string, string>): Promise<Json[]> =>
  ask('searchRequests', { title, query: { ...days, limit: '200', offset: '1' } })

/** The first that is read and may not be edited any more. */
async function closedOne(ask: Ask, read: string, ids: readonly string[]): Promise<Json> {
  for (const id of ids) {
    const row: Json = await ask(read, { params: { id } })
    const closed = [row].flat().find(({ editStatus }) => editStatus === 'NG')
    if (closed) return closed
  }
  throw new Error(`${read} finds none that is closed`)
}

async function quickReports(ask: Ask, title: string, days: Record<string, string>) {
  const rows = await rowsOf(ask, title, days)
  const { quickReport } = rows.find((row) => row.quickReport?.editStatus === 'NG')
  const { id, outTime } = quickReport
  const body = { outTime, type: '1', reason1: null, reason2: null, reportContent: null }
  await ask('editQuickReport', { title, params: { id }, body })
  await ask('exitQuickReports', { title, body: { ...body, quickReports: [{ id }] } })
  return rows
}

async function closedRecords(ask: Ask, rows: Json[]) {
  const requests = [...new Set(rows.map(({ id }): string => id))]
  const edit = (operation: string, row: Json) =>
    ask(operation, { title: CONFIRMED, params: { id: row.id }, body: row })
  await edit('editEmergencyReport', await closedOne(ask, 'listEmergencyReports', requests))
  const idsOf = (name: string): string[] => rows.flatMap((row) => row[name]?.id ?? [])
  const parking = idsOf('customerLocationChangeRequest')
  const contacts = idsOf('inLocationContactChangeRequest')
  await edit(
    'editCustomerLocationChangeRequest',
    await closedOne(ask, 'readCustomerLocationChangeRequest', parking),
  )
  await edit(
    'editLocationContactChangeRequest',
    await closedOne(ask, 'readLocationContactChangeRequest', contacts),
  )
}

/** A body that is no JSON, to every call of the CRM that takes one. */
async function noJson({ ask, operations }: Talk) {
  for (const { id, guard, body, path } of operations) {
    if (guard !== 'bearer' || body?.media !== 'application/json') continue
    const params = path.includes('{id}') ? { id: 'any' } : {}
    await ask(id, { title: '壊れた JSON', params, text: '{' })
  }
}

export async function refusals(talk: Talk): Promise<void> {
  const { ask } = talk
  const rows = await quickReports(ask, CONFIRMED, WEEK_BEFORE)
  await quickReports(ask, '7 日を過ぎた', TOO_LONG_AGO)
  await closedRecords(ask, rows)
  await noJson(talk)
}
