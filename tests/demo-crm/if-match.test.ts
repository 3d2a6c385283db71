import { describe, expect, test } from 'vitest'
import { createServer } from 'node:http'
import { demoCrmMiddleware } from '#demo-crm/node-host.ts'
import { openHarness, rowToday, sign, TODAY, REST, type Harness } from './harness.ts'

const OUT = '2026-11-20T11:42:00+09:00'
const content = (reportContent: string) => ({ outTime: OUT, type: '1', reportContent })

async function withReport(options: Parameters<typeof openHarness>[0] = {}) {
  const harness = await openHarness(options)
  const row = await rowToday(harness, 6)
  const entry = { requestId: row.id, workingDate: TODAY, inTime: '2026-11-20T08:56:00+09:00' }
  const { json } = await harness.rest('POST', 'quickReport/', entry)
  return { harness, path: `quickReport/${json.id}` }
}
const tagOf = async ({ rest }: Harness, path: string) => (await rest('GET', path)).headers.get('etag') ?? ''
const put = async ({ rest }: Harness, path: string, words: string, ifMatch?: string) =>
  (await rest('PUT', path, content(words), ifMatch === undefined ? {} : { 'if-match': ifMatch })).status

describe('[RFC 9110 13.1.1] If-Match of a PUT', () => {
  test.each<[string, (tag: string) => string | undefined, number]>([
    ['none', () => undefined, 204],
    ['*', () => '*', 204],
    ['one of several', (tag) => `"other", ${tag}`, 204],
    ['the same tag, but weak', (tag) => `W/${tag}`, 412],
    ['without its quotes', (tag) => tag.slice(1, -1), 412],
  ])('%s', async (_, given, status) => {
    const { harness, path } = await withReport()
    expect(await put(harness, path, '一', given(await tagOf(harness, path)))).toBe(status)
  })

  test('the read may name its user in the query: it is the same record', async () => {
    const { harness, path } = await withReport()
    const tag = await tagOf(harness, `${path}?loginUserId=ss-2006`)
    expect(await put(harness, path, '一', tag)).toBe(204)
  })

  test('also where times are written with Z', async () => {
    const { harness, path } = await withReport({ timesInZ: true })
    const tag = await tagOf(harness, path)
    expect(await put(harness, path, '一', tag)).toBe(204)
    expect(await put(harness, path, '二', tag)).toBe(412)
  })

  test('a CRM without ETags ignores it', async () => {
    const { harness, path } = await withReport({ etags: false })
    expect(await tagOf(harness, path)).toBe('')
    expect(await put(harness, path, '一', '"any"')).toBe(204)
  })

  test('the exit of several at once is no record that has a tag', async () => {
    const { harness, path } = await withReport()
    const body = { ...content('一'), quickReports: [{ id: path.split('/')[1] }] }
    const tag = { 'if-match': await tagOf(harness, path) }
    expect((await harness.rest('PUT', 'quickReport/requestUpdate', body, tag)).status).toBe(412)
    expect((await harness.rest('PUT', 'quickReport/requestUpdate', body)).status).toBe(204)
  })

  test('a PUT without a valid token is a 401, whatever its tag', async () => {
    const { harness, path } = await withReport()
    const headers = { 'if-match': '"old"', authorization: 'Bearer nobody' }
    expect((await harness.rest('PUT', path, content('一'), headers)).status).toBe(401)
  })

  test('the node host passes it through', async () => {
    const { harness, path } = await withReport()
    const { json } = await harness.send('POST', '/api/v1/crm/login', 'userName=demo6&password=password')
    const middleware = demoCrmMiddleware(harness.crm)
    const server = createServer((req, res) => middleware(req, res, () => res.end()))
    await new Promise<void>((resolve) => server.listen(0, resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const text = JSON.stringify(content('一'))
    const headers = {
      authorization: `Bearer ${json.accessToken}`,
      'x-signature': sign('PUT', `${REST}/${path}`, text),
      'if-match': '"old"',
    }
    const url = `http://localhost:${address.port}${REST}/${path}`
    const response = await fetch(url, { method: 'PUT', headers, body: text })
    server.close()
    expect(response.status).toBe(412)
  })
})
