/** One place reads the CRM's time, for expiry and for the screens that register a time. */
import { expect, test } from 'vitest'
import { createHttp, type AnswerTime } from '#sync/transport/http.ts'
import { until } from '../../support/device.ts'
import { todayScene } from '../../support/replication.ts'

const app = todayScene()
const DATE = 'Fri, 20 Nov 2026 03:00:00 GMT'
const CRM = Date.parse('2026-11-20T12:00:00+09:00')

test.each<[string, Record<string, string>, Partial<AnswerTime>]>([
  ['a Date', { date: DATE }, { date: CRM, isCached: false }],
  ['one of a cache', { date: DATE, age: '9' }, { date: CRM, isCached: true }],
  ['none', {}, { date: null, isCached: false }],
  ['what is none', { date: 'soon' }, { date: null, isCached: false }],
])('[spec 9][EX3] an answer with %s', async (_, headers, time) => {
  const heard: AnswerTime[] = []
  const fetch = async () => Response.json({}, { headers })
  const http = createHttp({ fetch, securityKey: 'k', onServerTime: (_url, told) => heard.push(told) })
  await http({ method: 'GET', url: 'http://crm.test/a' })
  expect(heard).toMatchObject([time])
  expect(heard[0]?.tookMs).toBeGreaterThanOrEqual(0)
})

test('[spec 9][EX3] a gateway’s page says nothing of the time', async () => {
  const heard: AnswerTime[] = []
  const fetch = async () => new Response('<html>', { status: 502, headers: { date: DATE } })
  const http = createHttp({ fetch, securityKey: 'k', onServerTime: (_url, told) => heard.push(told) })
  await http({ method: 'GET', url: 'http://crm.test/a' })
  expect(heard).toEqual([])
})

test.each([400, 403, 429, 500, 503])(
  '[EX3] a %d without a Date confirms nothing, and ends no account of the time',
  async (status) => {
    const heard: AnswerTime[] = []
    const answers = [{}, { date: DATE }].map((headers) => Response.json({}, { status, headers }))
    const fetch = async () => answers.shift() ?? Response.error()
    const http = createHttp({ fetch, securityKey: 'k', onServerTime: (_url, told) => heard.push(told) })
    await http({ method: 'GET', url: 'http://crm.test/a' })
    expect(heard).toEqual([])
    await http({ method: 'GET', url: 'http://crm.test/a' })
    expect(heard).toMatchObject([{ date: CRM }])
  },
)

test('[spec 9][EX3] the sync tells what the CRM’s answers say', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  await until(() => device.times.length > 0)
  expect(Object.keys(device.times[0] ?? {})).toEqual(['date', 'isCached', 'tookMs'])
})
