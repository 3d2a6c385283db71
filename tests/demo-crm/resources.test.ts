import { describe, expect, test } from 'vitest'
import { openHarness, rowToday, TODAY, type Json } from './harness.ts'

const emergency = {
  workingDate: TODAY,
  workingStartTime: '2026-11-20T09:00:00+09:00',
  workingEndTime: null,
  emergencyContents: '1,3',
  risk: '2,8',
  correspondenceDate: '3',
  ttsStaffContact: '1',
  emergencyContentsDetails: '冠水',
  loginUserId: 'ss-2006',
}
const contact = {
  type: '02',
  name: '管理人室',
  kana: 'ｶﾝﾘﾆﾝｼﾂ',
  tel1: '03-5550-0101',
  loginUserId: 'ss-2006',
}

describe('[crm-contract 4] emergency reports', () => {
  test('are created, listed newest first, changed whole: absent is null (crm-contract 2)', async () => {
    const harness = await openHarness()
    const { rest, clock } = harness
    const { id: requestId } = await rowToday(harness, 1)
    const first = await rest('POST', 'emergencyReport/', { ...emergency, requestId })
    expect(first.status).toBe(201)
    expect(first.json).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      emergencyReportFolderId: `ef-${requestId}`,
    })
    clock.now += 60_000
    await rest('POST', 'emergencyReport/', { ...emergency, requestId })
    const { workingStartTime: _, ...put } = { ...emergency, emergencyContentsDetails: '水位低下' }
    expect((await rest('PUT', `emergencyReport/${first.json.id}`, put)).status).toBe(204)
    const { json } = await rest('GET', `emergencyReport/request/${requestId}?loginUserId=ss-2006`)
    expect(json.map((row: Json) => row.emergencyContentsDetails)).toEqual(['冠水', '水位低下'])
    expect(json[1]).toMatchObject({
      emergencyContents: '1,3',
      emergencyContentsName: '衛生面、安全面',
      workingStartTime: null,
      riskName: '損害賠償、状況報告',
      correspondenceDateName: '3日以内',
      ttsStaffContactName: '未連絡',
      filePath: null,
      editStatus: 'OK',
      request: { id: requestId },
    })
    expect(json[0].name).not.toBe(json[1].name)
    expect((await rest('GET', `emergencyReport/${first.json.id}`)).json).toEqual(json[1])
  })

  test.each([
    ['no contents', { emergencyContents: '' }, 422],
    ['an unknown risk', { risk: '2,9' }, 400],
    ['301 characters', { emergencyContentsDetails: 'あ'.repeat(301) }, 422],
    ['no such request', { requestId: 'nobody' }, 404],
  ])('%s is refused', async (_, change, status) => {
    const harness = await openHarness()
    const { id: requestId } = await rowToday(harness, 1)
    const { status: got } = await harness.rest('POST', 'emergencyReport/', {
      ...emergency,
      requestId,
      ...change,
    })
    expect(got).toBe(status)
  })

  test('a confirmed one is refused with ec00008', async () => {
    const { rest, crm } = await openHarness()
    const { emergencyReports } = await crm.inspect()
    const confirmed = emergencyReports.find((row) => row.confirmed)
    const { status, json } = await rest('PUT', `emergencyReport/${confirmed?.id}`, {
      ...emergency,
      risk: '1',
    })
    expect({ status, json }).toEqual({ status: 400, json: { errors: ['ec00008'] } })
  })
})

describe('[crm-contract 4] safety measures', () => {
  test('the status counts what the directions ask for', async () => {
    const { crm } = await openHarness()
    const { requests } = await crm.inspect()
    const statuses = new Set(requests('2026-11-17', '2026-12-04').map((row) => row.safetyStatus))
    expect([...statuses].toSorted()).toEqual(['0', '1', '2', '3'])
  })
})

describe('[crm-contract 4] change requests', () => {
  const change = {
    parkingType: '1',
    parkingMethod: '地下1階',
    inMethod: '通用口から',
    loginUserId: 'ss-2006',
  }

  test('a contact that the request does not have is refused by 202 ec00026', async () => {
    const harness = await openHarness()
    const row = await rowToday(harness, 6)
    expect([row.outLocationContact, row.outLocationContactChangeStatus]).toEqual([null, '3'])
    const body = { ...contact, type: '03', requestId: row.id }
    expect((await harness.rest('POST', 'locationContactChangeRequest/', body)).json).toEqual({
      message: 'ec00026',
    })
  })

  test('what the office has taken over is NG and refused with ec00008', async () => {
    const { rest, crm } = await openHarness()
    const state = await crm.inspect()
    for (const [slug, rows] of [
      ['customerLocationChangeRequest', state.customerLocationChangeRequests],
      ['locationContactChangeRequest', state.locationContactChangeRequests],
    ] as const) {
      const path = `${slug}/${rows.find((row) => row.confirmed)?.id}`
      expect((await rest('GET', path)).json.editStatus).toBe('NG')
      expect((await rest('PUT', path, { ...change, ...contact })).json).toEqual({ errors: ['ec00008'] })
    }
  })
})

describe('[crm-contract 4] location notes', () => {
  test('belong to the area: every request there shows them, newest first, in pages', async () => {
    const harness = await openHarness()
    const { rest, clock } = harness
    const [one, other] = [await rowToday(harness, 2), await rowToday(harness, 4)]
    const before = one.noteLocationAreaCount
    for (const note of ['一つ目', '二つ目']) {
      clock.now += 60_000
      const { status } = await rest('POST', 'noteLocationArea/', { requestId: one.id, note })
      expect(status).toBe(201)
    }
    const { json, headers } = await rest(
      'GET',
      `noteLocationArea/request/${other.id}?type=1&limit=2&offset=1`,
    )
    expect(json.map((row: Json) => row.note)).toEqual(['二つ目', '一つ目'])
    expect(Number(headers.get('x-total-count'))).toBe(before + 2)
    expect((await rowToday(harness, 4)).noteLocationAreaCount).toBe(before + 2)
    await rest('PUT', `noteLocationArea/${json[0].id}`, { note: '直した', loginUserId: 'ss-2005' })
    expect((await rest('GET', `noteLocationArea/${json[0].id}`)).json).toMatchObject({
      note: '直した',
      type: '1',
    })
  })

  test.each([
    ['nothing said', { note: '' }, 422],
    ['1001 characters', { note: 'あ'.repeat(1001) }, 422],
    ['1000 characters', { note: 'あ'.repeat(1000) }, 201],
  ])('%s → its answer', async (_, body, status) => {
    const harness = await openHarness()
    const { id: requestId } = await rowToday(harness, 2)
    expect((await harness.rest('POST', 'noteLocationArea/', { requestId, ...body })).status).toBe(status)
  })

  test('the count of a request is that of its list', async () => {
    const { rest, crm } = await openHarness()
    const { requests } = await crm.inspect()
    for (const row of requests(TODAY, '2026-11-22')) {
      const { headers } = await rest('GET', `noteLocationArea/request/${row.id}`)
      expect(Number(headers.get('x-total-count'))).toBe(row.noteLocationAreaCount)
    }
  })
})

describe('[crm-contract 4] past reports and staff', () => {
  test('20 to 60 reports for some devices, in pages, 404 for others', async () => {
    const { rest } = await openHarness()
    const totals = []
    for (let area = 301; area <= 324; area++) {
      const { status, headers, json } = await rest('GET', `report/dv-la-${area}-1?limit=20&offset=1`)
      const total = Number(headers.get('x-total-count'))
      totals.push(status === 404 ? 0 : total)
      expect(status === 404 ? 0 : json.length).toBe(Math.min(20, total))
    }
    expect(totals).toContain(0)
    expect(totals.filter((total) => total >= 20).length).toBeGreaterThan(5)
    expect(Math.max(...totals)).toBeLessThanOrEqual(60)
  })
})
