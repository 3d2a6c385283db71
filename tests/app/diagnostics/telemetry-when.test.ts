/** The figures of the fleet (decisions/telemetry): when they leave, and what becomes of them where they cannot. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorFact, type Facts, type SettledFact } from '#app/diagnostics/telemetry/facts.ts'
import { EVERY_MS, MOST_SAMPLES, MOST_TEXT } from '#app/diagnostics/telemetry/schedule.ts'
import { MOST_EVENTS, MOST_TOTALS, type TelemetryState } from '#app/diagnostics/telemetry/state.ts'
import { valuesIn } from '../../observe/otlp.ts'
import {
  errorEntry,
  fleet,
  metricsIn,
  MINUTE,
  QUIET_QUEUE,
  refusal,
  START,
  valueOf,
} from '../../support/telemetry-device.ts'

describe('[decisions/telemetry] when it is sent', () => {
  const sendable = (age: number, over: object = {}): Partial<Facts> => ({
    queue: { ...QUIET_QUEUE, oldest: START - age, oldestSendable: START - age, ...over },
  })

  test.each([
    ['work is on its way', sendable(MINUTE), 0],
    ['what could go waits for the CRM', sendable(MINUTE, { waits: true }), 1],
    ['what should have gone an hour ago has not', sendable(61 * MINUTE), 1],
    ['what is left needs somebody', { queue: { ...QUIET_QUEUE, oldest: START - MINUTE } }, 1],
    ['nobody is signed in', { queue: null, layout: null }, 1],
  ])('%s', async (_, found, requests) => {
    const { state, arrived, round } = fleet()
    state.found = found
    await round()
    expect(arrived).toHaveLength(requests)
    state.found = {}
    await round()
    expect(arrived).toHaveLength(1)
  })

  test('not without signal: samples wait, bounded, and go in one request; the totals are whole', async () => {
    const { state, arrived, round } = fleet()
    state.online = false
    const calls = { '2xx': 1 } as const
    for (let hour = 0; hour < 48; hour += 1) {
      state.found = { calls, queue: { ...QUIET_QUEUE, settled: [refusal(`r${hour}`)] } }
      await round()
      state.now += 60 * MINUTE
    }
    expect(arrived).toEqual([])
    state.online = true
    state.found = {}
    await round()
    expect(arrived).toHaveLength(1)
    const request = metricsIn(arrived)
    expect(request.resourceMetrics).toHaveLength(MOST_SAMPLES)
    expect(valueOf(request, 'genba.calls', { outcome: '2xx' })).toBe(48)
    expect(valueOf(request, 'genba.telemetry.dropped', { signal: 'metrics' })).toBe(48 - MOST_SAMPLES)
    expect(state.stored.samples).toEqual([])
  })

  test('who takes nothing is asked seldomer, and at the time that it names', async () => {
    const { state, tried, arrived, round } = fleet()
    state.answer = () => new Response('', { status: 503 })
    const run = async (minutes: number) => {
      for (let each = 0; each < minutes; each += 1) {
        await round()
        state.now += MINUTE
      }
    }
    await run(20 * 60)
    const gaps = tried.slice(1).map((at, index) => (at - (tried[index] ?? 0)) / MINUTE)
    expect(gaps).toEqual([15, 30, 60, 120, 240, 240, 240, 240])
    state.answer = () => new Response('', { status: 429, headers: { 'retry-after': String(8 * 3600) } })
    const before = tried.length
    await run(8 * 60)
    expect(tried.length - before).toBe(1)
    state.answer = () => Response.json({})
    await run(9 * 60)
    expect(arrived.length).toBeGreaterThan(0)
  })

  test('a page in the way is no collector; what is refused for its content is not sent again', async () => {
    const { state, tried, round } = fleet()
    state.answer = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    await round()
    expect(state.stored.samples).toHaveLength(1)
    state.now += EVERY_MS
    state.answer = () => Response.json({}, { status: 400 })
    await round()
    expect(tried).toHaveLength(2)
    expect(state.stored.samples).toEqual([])
    const dropped = { name: 'genba.telemetry.dropped', attributes: { signal: 'metrics' }, value: 2 }
    expect(state.stored.totals).toContainEqual(dropped)
  })

  test('a clock that was set back does not silence the device', async () => {
    const { state, arrived, round } = fleet()
    await round()
    state.now -= 30 * 24 * 60 * MINUTE
    await round()
    state.now += EVERY_MS
    await round()
    expect(arrived).toHaveLength(2)
  })

  const step = fc.record({
    minutes: fc.integer({ min: 0, max: 40 }),
    online: fc.boolean(),
    working: fc.boolean(),
    refused: fc.integer({ min: 0, max: 3 }),
    errors: fc.integer({ min: 0, max: 3 }),
    tabs: fc.integer({ min: 1, max: 3 }),
    answer: fc.constantFrom('taken', 'taken', 'lost', 'down', 'refused'),
  })

  test('whatever happens: 15 minutes between requests of all tabs, none while work is on its way, bounded, nothing counted twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const { state, tried, arrived, round } = fleet()
        const rows: SettledFact[] = []
        const errors: Facts['errors'][number][] = []
        for (const { minutes, online, working, refused, errors: more, tabs, answer } of steps) {
          state.now += minutes * MINUTE
          state.online = online
          rows.push(
            ...Array.from({ length: refused }, () => refusal(crypto.randomUUID(), 400 + (rows.length % 60))),
          )
          const at = state.now
          errors.push(
            ...Array.from({ length: more }, () =>
              errorFact(errorEntry(crypto.randomUUID(), { stack: String(at) })),
            ),
          )
          const oldest = working ? state.now : null
          state.found = { errors, queue: { ...QUIET_QUEUE, oldest, oldestSendable: oldest, settled: rows } }
          state.answer = () => answerOf(answer)
          const before = tried.length
          await Promise.all(Array.from({ length: tabs }, round))
          if (!online || working) expect(tried).toHaveLength(before)
          expectBounded(state.stored)
        }
        for (const [index, at] of tried.slice(1).entries())
          expect(at - (tried[index] ?? 0)).toBeGreaterThanOrEqual(EVERY_MS)
        // the last one that arrives says the whole
        state.online = true
        state.answer = () => Response.json({})
        state.found = { errors, queue: { ...QUIET_QUEUE, settled: rows } }
        for (let each = 0; each < 3; each += 1) {
          state.now += 5 * 60 * MINUTE
          await round()
        }
        const request = metricsIn(arrived)
        expect(valueOf(request, 'genba.changes.settled', { outcome: 'refused' })).toBe(rows.length)
        const told = [...(valuesIn(request).get('genba.errors')?.values() ?? [])]
        expect(told.reduce((sum, each) => sum + each, 0)).toBe(errors.length)
      }),
      { numRuns: 40 },
    )
  })
})

function answerOf(answer: 'taken' | 'lost' | 'down' | 'refused'): Response {
  if (answer === 'lost') throw new TypeError('Failed to fetch')
  if (answer === 'taken') return Response.json({})
  return new Response('', { status: answer === 'down' ? 503 : 400 })
}

function expectBounded({ samples, events, totals }: TelemetryState): void {
  expect(samples.length).toBeLessThanOrEqual(MOST_SAMPLES)
  expect(samples.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(MOST_TEXT)
  expect(events.length).toBeLessThanOrEqual(MOST_EVENTS)
  expect(totals.length).toBeLessThanOrEqual(MOST_TOTALS + 10)
}
