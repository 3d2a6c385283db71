import { expect, test } from 'vitest'
import { createCrmClock } from '#app/crm-clock.ts'

const CRM = 'Fri, 20 Nov 2026 03:00:00 GMT'
const DAY = 86_400_000
const BEHIND = Date.parse(CRM) - DAY

const answering = (headers: Record<string, string>) => async () => new Response('{}', { headers })

async function heard(url: string, headers: Record<string, string>) {
  const clock = createCrmClock(
    () => 'https://crm.test/api/v1',
    () => BEHIND,
  )
  const response = await clock.listen(answering(headers))(url)
  expect(await response.text()).toBe('{}')
  return clock.readings.get()
}

test.each([
  ['an answer of the API', 'https://crm.test/api/v1/crm-rest/spa/request/search', { date: CRM }, true],
  ['of another server', 'https://files.test/doccloud/token', { date: CRM }, false],
  ['of another path', 'https://crm.test/api/v10/x', { date: CRM }, false],
  ['from a cache', 'https://crm.test/api/v1/x', { date: CRM, age: '9' }, false],
  ['without a Date', 'https://crm.test/api/v1/x', {}, false],
])('[spec 9] the CRM’s time is heard in %s: %s', async (_, url, headers, isHeard) => {
  const reading = await heard(url, headers)
  expect(reading !== null).toBe(isHeard)
  if (reading) expect(Math.abs(reading.offMs - DAY)).toBeLessThanOrEqual(1_000)
})

test('[house 5] like readings are told once, until the last would run out', async () => {
  let now = BEHIND
  const clock = createCrmClock(
    () => 'https://crm.test/api/v1',
    () => now,
  )
  const dateNow = () => new Date(now + DAY).toUTCString()
  const fetch = clock.listen(async () => new Response(null, { headers: { date: dateNow() } }))
  let told = 0
  clock.readings.subscribe(() => (told += 1))
  for (let minutes = 0; minutes < 130; minutes += 10) {
    now = BEHIND + minutes * 60_000
    await fetch('https://crm.test/api/v1/x')
  }
  expect(told).toBe(2)
})
