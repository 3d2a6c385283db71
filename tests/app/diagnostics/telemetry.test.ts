/** The figures of the fleet (decisions/telemetry): what is counted, and what it looks like. */
import { describe, expect, test } from 'vitest'
import { countCalls } from '#app/diagnostics/recorder.ts'
import type { ErrorEntry } from '#app/diagnostics/store.ts'
import { errorFact } from '#app/diagnostics/telemetry/facts.ts'
import { METRICS, versionNumber } from '#app/diagnostics/telemetry/metrics.ts'
import { EVERY_MS, isInSample } from '#app/diagnostics/telemetry/schedule.ts'
import { logsRequest, valuesIn } from '../../observe/otlp.ts'
import {
  BUSY,
  errorEntry,
  fleet,
  metricsIn,
  MINUTE,
  QUIET_QUEUE,
  refusal,
  valueOf,
} from '../../support/telemetry-device.ts'

describe('[decisions/telemetry] what is sent', () => {
  test('is OTLP/HTTP JSON, and holds every metric of the table and no other, with its attributes', async () => {
    const { state, arrived, round } = fleet()
    state.found = BUSY
    await round()
    const request = metricsIn(arrived)
    const values = valuesIn(request)
    expect([...values.keys()].toSorted()).toEqual(METRICS.map(({ name }) => name).toSorted())
    for (const { name, attributes } of METRICS)
      for (const key of values.get(name)?.keys() ?? [])
        expect(Object.keys(JSON.parse(key) as object).toSorted()).toEqual([...attributes].toSorted())
    expect(valueOf(request, 'genba.unsent', { state: 'expired' })).toBe(3)
    expect(valueOf(request, 'genba.unsent.oldest_age')).toBe(26 * 3600)
    expect(valueOf(request, 'genba.changes.refused', { code: '422', resource: 'quickReports' })).toBe(1)
    expect(valueOf(request, 'genba.changes.settled', { outcome: 'discarded' })).toBe(0)
    expect(valueOf(request, 'genba.figure.duration', { figure: 'INP', quantile: '0.75' })).toBe(120)
    expect(valueOf(request, 'genba.app.version')).toBe(1.00020003)
    const [resource] = request.resourceMetrics
    const named = Object.fromEntries(
      resource?.resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
    )
    expect(named).toEqual({
      'service.name': 'genba-work',
      'service.version': '1.2.3',
      'service.instance.id': state.stored.id,
      'user_agent.name': 'Chrome',
      'user_agent.version': '150',
      'os.name': 'Android',
      'os.version': '15',
    })
  })

  test('errors and what happens to the app are events, one for each fingerprint, in a request of their own', async () => {
    const { state, arrived, round } = fleet()
    state.stored = { ...state.stored, version: '1.2.2', layout: 0 }
    state.found = { ...BUSY, layout: 1, errors: ['e', 'f', 'g'].map((id) => errorFact(errorEntry(id))) }
    await round()
    state.now += EVERY_MS
    await round()
    expect(arrived.map(({ signal }) => signal)).toEqual(['metrics', 'logs'])
    const { resourceLogs } = logsRequest.assert(JSON.parse(arrived[1]?.body ?? ''))
    const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((each) => each.logRecords))
    expect(records.map(({ eventName }) => eventName)).toEqual([
      'genba.updated',
      'genba.migrated',
      'genba.error',
    ])
    const said = Object.fromEntries(
      records[2]?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
    )
    expect(said).toMatchObject({
      'exception.type': 'TypeError',
      count: 3,
      frames: 'assets/outbox-B1a2c3d4.js:12:345',
    })
    expect(said['fingerprint']).toMatch(/^[\da-f]{16}$/)
  })

  test('a change and an error count once, whichever tab looks and however often; refused again is another time', async () => {
    const { state, arrived, round } = fleet()
    state.found = BUSY
    for (let minutes = 0; minutes < 60; minutes += 1) {
      if (minutes === 30)
        state.found = { ...BUSY, queue: { ...QUIET_QUEUE, settled: [refusal('a'), refusal('a later')] } }
      state.found = { ...state.found, calls: {} }
      await Promise.all([round(), round()])
      state.now += MINUTE
    }
    state.now += EVERY_MS
    await round()
    const request = metricsIn(arrived)
    expect(valueOf(request, 'genba.changes.refused', { code: '422', resource: 'quickReports' })).toBe(2)
    expect(valueOf(request, 'genba.changes.settled', { outcome: 'accepted' })).toBe(1)
    const errors = [...(valuesIn(request).get('genba.errors')?.values() ?? [])]
    expect(errors).toEqual([1, 1])
  })

  test('a row that stays in the ledger for weeks is not counted anew', async () => {
    const { state, arrived, round } = fleet()
    state.found = BUSY
    for (let days = 0; days < 20; days += 1) {
      await round()
      state.now += 24 * 60 * MINUTE
    }
    expect(
      valueOf(metricsIn(arrived), 'genba.changes.refused', { code: '422', resource: 'quickReports' }),
    ).toBe(1)
  })

  test('a device outside the sample tells what is unsent, and neither calls, figures nor errors', async () => {
    const { state, arrived, round } = fleet({ sample: 0.5, id: 'ffffffff-0000-4000-8000-000000000000' })
    state.found = BUSY
    await round()
    state.now += EVERY_MS
    await round()
    const names = [...valuesIn(metricsIn(arrived)).keys()].toSorted()
    expect(names).toEqual(
      METRICS.filter(({ sampled }) => !sampled)
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(arrived.map(({ signal }) => signal)).toEqual(['metrics', 'metrics'])
    const ids = Array.from({ length: 2_000 }, () => crypto.randomUUID())
    const share = ids.filter((id) => isInSample(id, 0.25)).length / ids.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.3)
    expect(ids.every((id) => isInSample(id, 1))).toBe(true)
  })
})

test('the same error has the same fingerprint in another version, another one has another', () => {
  const of = (over: Partial<ErrorEntry>) => errorFact(errorEntry('e', over)).fingerprint
  const later = 'x\n    at b (https://app.example/assets/outbox-Zz99yy88.js:14:2)'
  expect(of({ stack: later })).toBe(of({}))
  expect(of({ message: 'TypeError: Something else' })).not.toBe(of({}))
  expect(errorFact(errorEntry('e', { message: 'HTTP 503', stack: '' }))).toMatchObject({
    type: 'HTTP 503',
    frames: [],
  })
  const safari =
    'open@https://app.example/assets/outbox-B1a2c3d4.js:12:345\n@https://app.example/assets/index-B1a2c3d4.js:1:2'
  expect(errorFact(errorEntry('e', { stack: safari })).frames).toHaveLength(2)
})

test('calls are counted by what was answered, until they are taken', () => {
  const counter = countCalls()
  for (const status of [200, 304, 404, 429, 503, 0]) counter.count(status)
  const taken = counter.take()
  expect(taken).toEqual({ '2xx': 1, '304': 1, '4xx': 1, '429': 1, '5xx': 1, none: 1 })
  expect(counter.take()).toEqual({})
  counter.restore(taken)
  expect(counter.take()).toEqual(taken)
})

test.each([
  ['1.2.3', 1.00020003],
  ['0.10.0', 0.001],
  ['1', null],
])('version %s as a number', (version, number) => expect(versionNumber(version)).toBe(number))
