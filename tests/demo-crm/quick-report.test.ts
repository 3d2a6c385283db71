import { describe, expect, test } from 'vitest'
import { openHarness, rowToday, TODAY, type Harness } from './harness.ts'

const IN_TIME = '2026-11-20T08:56:00+09:00'
const OUT_TIME = '2026-11-20T11:40:00+09:00'

const entryOf = (row: { id: string }, workingDate = TODAY) => ({
  requestId: row.id,
  workingDate,
  workingDateType: '1',
  inTime: IN_TIME,
  loginUserId: 'ss-2006',
})
const completed = { outTime: OUT_TIME, type: '1', reason1: null, reason2: null, reportContent: null }

async function entered(slot = 1): Promise<Harness & { id: string; requestId: string }> {
  const harness = await openHarness()
  const row = await rowToday(harness, slot)
  const { json } = await harness.rest('POST', 'quickReport/', entryOf(row))
  return { ...harness, id: json.id, requestId: row.id }
}

describe('[crm-contract 4] the entry', () => {
  test.each([
    ['no such request', { requestId: 'nobody' }, 404],
    ['not a working day of it', { workingDate: '2026-11-25' }, 404],
    ['no entry time', { inTime: null }, 422],
    ['an unknown field is ignored', { somethingNew: 1 }, 200],
    ['a code may be a number', { workingDateType: 1 }, 200],
    ['an absent field may be null', { workingDateType: null, loginUserId: null }, 200],
  ])('%s', async (_, change, status) => {
    const harness = await openHarness()
    const row = await rowToday(harness, 1)
    const answer = await harness.rest('POST', 'quickReport/', { ...entryOf(row), ...change })
    expect(answer.status).toBe(status)
  })
})

describe('[crm-contract 4] the report', () => {
  test('[crm-contract 2] to a PUT absent is null, but for inTime', async () => {
    const { rest, id } = await entered()
    const put = (body: object) => rest('PUT', `quickReport/${id}`, body)
    const outTime = '2026-11-20T11:45:00+09:00'
    expect((await put({ ...completed, reportContent: '途中' })).status).toBe(204)
    expect((await put({ outTime, type: '2', reason1: '4' })).status).toBe(204)
    expect((await rest('GET', `quickReport/${id}`)).json).toMatchObject({
      inTime: IN_TIME,
      reportContent: null,
    })
    expect((await put({ outTime, type: '2', reason1: '4', reportContent: '途中' })).status).toBe(204)
    const { json } = await rest('GET', `quickReport/${id}`)
    expect(json).toMatchObject({
      inTime: IN_TIME,
      outTime: '2026-11-20T11:45:00+09:00',
      type: '2',
      typeName: '作業未完了',
      reason1Id: '4',
      reason1Name: '時間超過(開始遅れ)',
      reason2Id: null,
      reportContent: '途中',
      request: [{ workingDate: TODAY, ttsOrder: { emergencyFlag: '1' } }],
    })
    await put({ ...completed, inTime: null })
    const after = await rest('GET', `quickReport/${id}`)
    expect(after.json).toMatchObject({ inTime: IN_TIME, type: '1', reason1Id: null, reportContent: null })
  })

  test.each([
    ['type 1 with a reason', { ...completed, reason1: '1' }, 422],
    ['type 2 without reason1', { ...completed, type: '2' }, 422],
    ['type 2 with reason2', { ...completed, type: '2', reason1: '1', reason2: '1' }, 422],
    ['type 3 without reason2', { ...completed, type: '3' }, 422],
    ['type 3, その他 without content', { ...completed, type: '3', reason2: '99' }, 422],
    ['type 3, その他 with content', { ...completed, type: '3', reason2: '99', reportContent: '雨漏り' }, 204],
    ['an unknown type', { ...completed, type: '7' }, 422],
    ['501 characters', { ...completed, reportContent: 'あ'.repeat(501) }, 422],
    ['500 characters, codes as numbers', { ...completed, type: 1, reportContent: 'あ'.repeat(500) }, 204],
    ['no JSON', '{', 400],
  ])('%s → %#', async (_, body, status) => {
    const { rest, id } = await entered()
    expect((await rest('PUT', `quickReport/${id}`, body)).status).toBe(status)
  })

  test.each([
    ['2026-11-27T23:59:59+09:00', 204],
    ['2026-11-28T00:00:00+09:00', 400],
  ])('ec00012 by the clock: at %s → %i', async (at, status) => {
    const { rest, id, clock, login } = await entered()
    clock.now = Date.parse(at)
    await login()
    const answer = await rest('PUT', `quickReport/${id}`, completed)
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual(status === 400 ? { errors: ['ec00012'] } : '')
    const { json } = await rest('GET', `quickReport/${id}`)
    expect(json.editStatus).toBe(status === 400 ? 'NG' : 'OK')
  })

  test('ec00012 is counted when the call arrives, not when it was sent', async () => {
    const harness = await entered()
    const { rest, id, clock, crm } = harness
    await crm.faults.add({ id: 'slow', kind: 'delay', path: 'quickReport', count: 'always', ms: 1 })
    clock.now = Date.parse('2026-11-27T23:59:59+09:00')
    await harness.login()
    const sent = rest('PUT', `quickReport/${id}`, completed)
    clock.now += 2000
    expect((await sent).json).toEqual({ errors: ['ec00012'] })
  })

  test('what the office confirmed is refused with ec00008', async () => {
    const { rest, crm } = await openHarness()
    const { quickReports } = await crm.inspect()
    const confirmed = quickReports.find((report) => report.confirmed)
    const { json } = await rest('PUT', `quickReport/${confirmed?.id}`, completed)
    expect(json).toEqual({ errors: ['ec00008'] })
    expect((await rest('GET', `quickReport/${confirmed?.id}`)).json.editStatus).toBe('NG')
  })

  test('an unknown report is not found', async () => {
    const { rest } = await openHarness()
    expect((await rest('PUT', 'quickReport/qr.r1-1.20261120', completed)).status).toBe(404)
    expect((await rest('GET', 'quickReport/nobody')).status).toBe(404)
  })
})

/** Two requests of one location with their entries. */
async function two() {
  const harness = await openHarness()
  const rows = [await rowToday(harness, 2), await rowToday(harness, 3)]
  const ids: { id: string }[] = []
  for (const row of rows) {
    const { json } = await harness.rest('POST', 'quickReport/', entryOf(row))
    ids.push({ id: json.id })
  }
  return { ...harness, ids }
}

describe('[crm-contract 4] requestUpdate', () => {
  test('all of them or none', async () => {
    const { rest, ids, crm } = await two()
    const quickReports = [...ids, { id: 'nobody' }]
    const answer = await rest('PUT', 'quickReport/requestUpdate', { ...completed, quickReports })
    expect(answer.status).toBe(404)
    const state = await crm.inspect()
    expect(state.quickReports.filter(({ id }) => ids.some((one) => one.id === id))).toMatchObject([
      { outTime: null },
      { outTime: null },
    ])
  })

  test.each([
    ['no report named', { quickReports: [] }, 400],
    ['no exit time', { outTime: null }, 422],
  ])('%s is refused', async (_, change, status) => {
    const { rest, ids } = await two()
    const body = { ...completed, quickReports: ids, ...change }
    expect((await rest('PUT', 'quickReport/requestUpdate', body)).status).toBe(status)
  })
})
