/** The figures of the fleet in a real browser: under the page's policy, zipped, after the work, and about nobody. */
import { gunzipSync } from 'node:zlib'
import { metricsRequest, valuesIn } from '../observe/otlp.ts'
import { expect, freeRequest, registerEntry, reportsOf, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

test('[decisions/telemetry] config.json names a collector: after the work it is told once, in OTLP, and nothing of anybody', async ({
  phone,
  crm,
}) => {
  const row = await freeRequest(crm)
  const told: { path: string; arrivedBefore: number; body: string }[] = []
  await phone.context.route('**/config.json', (route) =>
    route.fulfill({ json: { telemetry: { endpoint: '/otlp' } } }),
  )
  await phone.context.route('**/otlp/**', async (route) => {
    const call = route.request()
    const body = gunzipSync(call.postDataBuffer() ?? '').toString()
    const { length: arrivedBefore } = await reportsOf(crm, row)
    told.push({ path: new URL(call.url()).pathname, arrivedBefore, body })
    await route.fulfill({ json: {} })
  })
  await phone.signIn()
  await phone.page.goto(`/request/${row.id}`)
  await registerEntry(phone.page)
  await expect.poll(() => told.length, { timeout: 30_000 }).toBe(1)
  const [first] = told
  expect(first).toMatchObject({ path: '/otlp/v1/metrics', arrivedBefore: 1 })
  const values = valuesIn(metricsRequest.assert(JSON.parse(first?.body ?? '')))
  expect(values.get('genba.changes.settled')?.get('{"outcome":"accepted"}')).toBe(1)
  expect(values.get('genba.unsent.oldest_age')?.get('{}')).toBe(0)
  expect(values.get('genba.calls')?.get('{"outcome":"2xx"}')).toBeGreaterThan(5)
  expect(values.get('genba.figure.duration')?.size).toBeGreaterThan(0)
  // nothing that the CRM or the user has written: only ASCII, and no id of a request
  expect(first?.body).toMatch(/^[\x20-\x7e]*$/)
  for (const { id, requestCode } of (await crm.state()).requests) {
    expect(first?.body).not.toContain(`"${id}"`)
    expect(first?.body).not.toContain(requestCode)
  }
  expect(first?.body).not.toMatch(/demo\d/)
  await phone.page.goto('/settings')
  await expect(phone.page.getByRole('region', { name: '動作記録の送信' })).toContainText(/最後の送信\d/)
})
