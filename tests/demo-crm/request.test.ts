import { describe, expect, test } from 'vitest'
import { openHarness, rowToday, TODAY, type Json } from './harness.ts'

const keyOf = (row: Json) => `${row.workingDate} ${row.workingStartTime} ${row.id}`
const ALL = 'request/search?workingDateFrom=2026-11-17&workingDateTo=2026-12-04'

describe('[crm-contract 4] request/search', () => {
  test.each<[string, (row: Json) => boolean]>([
    [
      `workingDateFrom=${TODAY}&workingDateTo=2026-11-21`,
      (row) => [TODAY, '2026-11-21'].includes(row.workingDate),
    ],
    ['requestCode=R26-1120', (row) => row.requestCode.startsWith('R26-1120')],
    ['locationName=%E3%83%94%E3%83%83%E3%83%88', (row) => row.ttsOrder.locationArea.name.includes('ピット')],
    [
      'customerName=%E7%AE%A1%E7%90%86%E7%B5%84%E5%90%88',
      (row) => row.ttsOrder.customer.name.includes('管理組合'),
    ],
    ['orderFlag=3,8', (row) => ['3', '8'].includes(row.ttsOrder.orderFlag)],
    ['emergencyFlag=1', (row) => row.ttsOrder.emergencyFlag === '1'],
    ['supplierStaffId=ss-2006', () => true],
    ['orderFlag=&emergencyFlag=&requestCode=', () => true],
  ])('%s takes what fits and nothing else', async (query, fits) => {
    const { rest } = await openHarness()
    const everything = await rest('GET', 'request/search?limit=2000')
    const { json } = await rest('GET', `request/search?limit=2000&${query}`)
    expect(json.length).toBeGreaterThan(0)
    expect(json.map(keyOf)).toEqual(everything.json.filter(fits).map(keyOf))
  })

  test('a prefix of a code is not a part of it', async () => {
    const { rest } = await openHarness()
    expect((await rest('GET', 'request/search?requestCode=26-11')).json).toEqual([])
  })

  test('a row leaves out what only the single read has', async () => {
    const harness = await openHarness()
    const row = await rowToday(harness, 1)
    const { json } = await harness.rest('GET', `request/${row.id}?workingDate=${TODAY}`)
    const { goods, device, safety, underPitSurvey, ...rest } = json
    expect(rest).toEqual(row)
    expect([goods.length, device.length].every((length) => length > 0)).toBe(true)
    expect([safety, underPitSurvey === null || Array.isArray(underPitSurvey)]).toEqual([[], true])
  })
})

describe('[crm-contract 4] request/{id}', () => {
  test.each([
    ['the day asked for', '?workingDate=2026-11-19', '2026-11-19'],
    ['today’s or the next', '', TODAY],
  ])('%s', async (_, query, workingDate) => {
    const harness = await openHarness()
    const row = await rowToday(harness, 5)
    expect((await harness.rest('GET', `request/${row.id}${query}`)).json.workingDate).toBe(workingDate)
  })

  test('the last day when all are past', async () => {
    const harness = await openHarness()
    const row = await rowToday(harness, 5)
    harness.clock.now += 5 * 86_400_000
    await harness.login()
    expect((await harness.rest('GET', `request/${row.id}`)).json.workingDate).toBe(TODAY)
  })

  test.each(['request/nobody', 'request/rzzzz-9', `request/r1-5?workingDate=${TODAY}`])(
    '%s is not found',
    async (path) => {
      const { rest } = await openHarness()
      expect((await rest('GET', path)).status).toBe(404)
    },
  )

  test('[crm-contract 2] an ETag comes with a read, and without it where the option says so', async () => {
    const plain = await openHarness({ etags: false })
    const untagged = await plain.rest('GET', ALL)
    expect(untagged.headers.get('etag')).toBeNull()
    expect(untagged.headers.get('cache-control')).toBe('no-store')
    const tagged = await openHarness()
    const etag = (await tagged.rest('GET', ALL)).headers.get('etag') ?? ''
    const again = await tagged.rest('GET', ALL, undefined, { 'if-none-match': etag })
    expect([again.status, again.json]).toEqual([304, ''])
    expect(again.headers.get('x-total-count')).toMatch(/^\d+$/)
    expect(again.headers.get('cache-control')).toBe('private, no-cache')
    const other = await tagged.rest('GET', `${ALL}&limit=3`, undefined, { 'if-none-match': etag })
    expect([other.status, other.json.length]).toEqual([200, 3])
  })

  test('[crm-contract 3] a token that is not valid is a 401, also where the ETag is right', async () => {
    const { rest } = await openHarness()
    const etag = (await rest('GET', ALL)).headers.get('etag') ?? ''
    const headers = { 'if-none-match': etag, authorization: 'Bearer nobody' }
    expect((await rest('GET', ALL, undefined, headers)).status).toBe(401)
  })
})

describe('[crm-contract 2] date-times', () => {
  const entry = (row: Json, inTime: string) => ({ requestId: row.id, workingDate: TODAY, inTime })
  const newRow = (harness: Awaited<ReturnType<typeof openHarness>>) => rowToday(harness, 6)

  test.each(['2026-11-19T23:56:00Z', '2026-11-20T07:56:00+08:00', '2026-11-20T08:56:00+0900'])(
    '%s is refused: they are sent with +09:00',
    async (inTime) => {
      const harness = await openHarness()
      const sent = await harness.rest('POST', 'quickReport/', entry(await newRow(harness), inTime))
      expect(sent.status).toBe(422)
    },
  )

  test('where the option says so every one is written with Z, and nothing else is changed', async () => {
    const [tokyo, zulu] = [await openHarness(), await openHarness({ timesInZ: true })]
    const [plain, inZ] = [await newRow(tokyo), await newRow(zulu)]
    expect(plain.workingStartTime).toMatch(/\+09:00$/)
    expect(inZ.workingStartTime).toMatch(/:\d{2}Z$/)
    expect(Date.parse(inZ.workingStartTime)).toBe(Date.parse(plain.workingStartTime))
    const words = (row: Json) => JSON.stringify(row).replaceAll(/"\d{4}-\d{2}-\d{2}T[^"]*"/g, '"time"')
    expect(words(inZ)).toBe(words(plain))
  })
})
