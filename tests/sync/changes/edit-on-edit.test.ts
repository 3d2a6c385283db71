/** The second of two quick edits; each PUT has a read of its own before it (MG2, MG3). */
import { describe, expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import { recordView } from '#schemas/changes/record-view.ts'
import { mergedEdit, type EditRules } from '#sync/merge/merge.ts'
import { pushResources } from '#sync/resources/resource-table.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { until } from '../../support/device.ts'
import { elsewhere, locationOf } from '../../support/other-company.ts'
import { isOpen, PARKING } from '../../support/record-saves.ts'
import { COMPLETED, enter, leave, nth, todayScene } from '../../support/replication.ts'
import { viewIn } from '../../support/stored-views.ts'

const PATIENT_MS = 20_000

const CONTENT = { type: '1', reason1: null, reason2: null, reportContent: '完了' }

test('[MG2] an edit saved while the one before it was on its way touches only what it changed itself', () => {
  const record = { key: 'r1_2026-11-20', requestId: 'r1', workingDate: '2026-11-20', serverId: 'q1' }
  const edit = (stamp: string, fields: object): Change => {
    const base = { id: stamp, stamp, savedAt: '2026-11-20T03:00:00Z', kind: 'edit' }
    return {
      ...blankFacts({ record: { resource: 'quickReports', ...record }, change: base }),
      ...{ ...base, userId: 'u1', offline: false, own: {}, fields: { ...CONTENT, ...fields } },
      // both edits were made on the confirmed state, because the first one was not sent yet
      madeOn: { stamp: '1', fields: CONTENT },
    }
  }
  const first = edit('2', { type: '2', reason1: '4' })
  const sent: Change = { ...first, state: 'accepted', result: { id: 'q1', ...first.fields, stamp: '4' } }
  const theirs = { ...record, server: { id: 'q1', ...CONTENT, stamp: '5' } }
  const view = recordView(theirs, [sent, edit('3', { type: '2', reason1: '4', reportContent: '二度目' })])
  const [change] = view?.changes ?? []
  const rules = pushResources.quickReports.edits
  if (!view || !change || !rules) throw new Error('no edit')
  expect(mergedEdit(rules as EditRules, view, change).fields).toMatchObject({
    type: '1',
    reason1: null,
    reportContent: '二度目',
  })
})

describe('on a device', () => {
  const app = todayScene()

  /** Runs `run` once the CRM has applied the next PUT, before its answer arrives. */
  function afterPut(path: string, run: () => Promise<unknown>): void {
    const { fetch } = app.crm
    app.crm.fetch = async (request) => {
      const isIt = request.method === 'PUT' && request.url.includes(path)
      const response = await fetch(request)
      if (!isIt) return response
      app.crm.fetch = fetch
      await run()
      return response
    }
  }

  test('[MG2][MG3] 退館報告編集, twice: the office corrects what the first one said before the second leaves', async () => {
    // the answer arrives in time even on a slow machine; otherwise the change would be ambiguous
    app.phone.timeoutMs = PATIENT_MS
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    await enter(device, request)
    await leave(device, [request])
    await app.sent(device)
    const report = nth(await app.reports(request.id), 0)
    const save = async (content: object) => {
      const doc = await viewIn(device.db, 'quickReports', request.key)
      await saveReport(device.saver(), [doc], 'edit', { ...COMPLETED, ...content })
    }
    const INCOMPLETE = { ...COMPLETED, type: '2', reason1: '4' }
    afterPut(`/quickReport/${report.id}`, async () => {
      await save({ ...INCOMPLETE, reportContent: '二度目' })
      await elsewhere(`quickReport/${report.id}`, { ...INCOMPLETE, reason1: '2' })
    })
    await save(INCOMPLETE)
    await until(async () => (await app.reports(request.id))[0]?.reportContent === '二度目')
    await app.sent(device)
    expect(await app.reports(request.id)).toMatchObject([
      { type: '2', reason1: '2', reportContent: '二度目' },
    ])
  })

  test('[MG2][MG3] 入館・駐車場情報変更依頼, twice: likewise', async () => {
    app.phone.timeoutMs = PATIENT_MS
    const device = await app.open()
    const { id } = nth((await app.freeRequests(device)).filter(isOpen), 0)
    await saveCustomerLocation(device.saver(), id, PARKING, null)
    await app.sent(device)
    const { serverId } = await locationOf(device, id)
    const path = `customerLocationChangeRequest/${serverId}`
    const save = async (content: object) =>
      saveCustomerLocation(device.saver(), id, { ...PARKING, ...content }, await locationOf(device, id))
    afterPut(path, async () => {
      await save({ parkingMethod: '東側', inMethod: '正面から' })
      await elsewhere(path, { ...PARKING, requestId: id, parkingMethod: '臨時駐車場' })
    })
    await save({ parkingMethod: '東側' })
    const inCrm = async () =>
      (await app.crm.inspect()).customerLocationChangeRequests.find((row) => row.id === serverId)
    await until(async () => (await inCrm())?.inMethod === '正面から')
    await app.sent(device)
    expect(await inCrm()).toMatchObject({ parkingMethod: '臨時駐車場', inMethod: '正面から' })
  })

  test('[MG3a] each PUT has a read of its own that left after the one before it, however fast they follow', async () => {
    const device = await app.open()
    const { id } = nth((await app.freeRequests(device)).filter(isOpen), 0)
    await saveCustomerLocation(device.saver(), id, PARKING, null)
    await app.sent(device)
    const { serverId } = await locationOf(device, id)
    const path = `customerLocationChangeRequest/${serverId}`
    const from = app.crm.calls.length
    for (const inMethod of ['一', '二', '三']) {
      await saveCustomerLocation(device.saver(), id, { ...PARKING, inMethod }, await locationOf(device, id))
      await app.sent(device)
      await elsewhere(path, { ...PARKING, requestId: id, parkingMethod: `臨時${inMethod}`, inMethod })
    }
    const { customerLocationChangeRequests } = await app.crm.inspect()
    expect(customerLocationChangeRequests.find((row) => row.id === serverId)).toMatchObject({
      parkingMethod: '臨時三',
    })
    const ours = app.crm.calls
      .slice(from)
      .filter(({ path: called, user }) => called.includes(path) && user === 'demo6')
    // a list may read the record as well, in between
    const text = ours.map(({ method }) => method).join(' ')
    expect(text).toMatch(/^((GET )+PUT ?){3}( ?GET)*$/)
  })
})
