/** The figures of the fleet (decision 0077): what is counted, when it leaves, what it looks like, and what never does. */
import { type } from 'arktype'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorLogEntry } from '#app/error-log.ts'
import { errorFact } from '#app/telemetry/error-facts.ts'
import { countCalls } from '#app/telemetry/count-calls.ts'
import { queueFacts, type Facts, type SettledFact } from '#app/telemetry/facts.ts'
import { MOST_EVENTS, MOST_TOTALS } from '#app/telemetry/fold.ts'
import { keptTelemetry, newTelemetry, type KeptTelemetry } from '#app/telemetry/kept.ts'
import { METRICS, versionNumber } from '#app/telemetry/metrics.ts'
import { takeTurn, type TurnParts } from '#app/telemetry/turn.ts'
import { EVERY_MS, isInSample, MOST_SAMPLES, MOST_TEXT } from '#app/telemetry/when.ts'
import type { Outbox } from '#data/outbox.ts'
import { figureNames, summariesOf, type Figure } from '#lib/field-figures.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QueueItem } from '#schemas/change-queue.ts'
import { blankLedgerEntry } from '#schemas/change-queue.ts'
import { logsRequest, metricsRequest, valuesIn, type MetricsRequest } from '../../observe/otlp.ts'

const START = Date.parse('2026-06-01T08:00:00+09:00')
const MINUTE = 60_000
const AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.7123.44 Mobile Safari/537.36'

const QUIET: Facts = {
  at: START,
  version: '1.2.3',
  isBelowMinimum: false,
  layout: 0,
  queue: {
    unsent: { waiting: 0, sending: 0, failed: 0, expired: 0 },
    photos: 0,
    oldest: null,
    oldestSendable: null,
    waits: false,
    settled: [],
  },
  storage: { used: 1_000, free: 9_000, persisted: true },
  errors: [],
  figures: [],
  calls: {},
}

const refusal = (id: string, status = 422): SettledFact => ({
  id,
  outcome: 'refused',
  resource: 'quickReports',
  status,
})
const errorEntry = (id: string, over: Partial<ErrorLogEntry> = {}): ErrorLogEntry => ({
  id,
  at: new Date(START).toISOString(),
  message: 'TypeError: Cannot read properties of undefined',
  stack: 'TypeError: Cannot read …\n    at a (https://app.example/assets/outbox-B1a2c3d4.js:12:345)',
  response: '',
  screen: '/request',
  user: '',
  browser: '',
  os: '',
  ...over,
})

interface Arrived {
  at: number
  signal: string
  body: string
}

/** A collector, and a device whose tabs share what is kept. */
function fleet(over: { sample?: number; id?: string } = {}) {
  const state = {
    now: START,
    online: true,
    found: {} as Partial<Facts>,
    kept: newTelemetry(over.id ?? '00000000-0000-4000-8000-000000000000', START),
    answer: (): Response | Promise<Response> => Response.json({}),
  }
  const arrived: Arrived[] = []
  const tried: number[] = []
  const parts: TurnParts = {
    store: {
      update: async (change) => (state.kept = keptTelemetry.assert(structuredClone(change(state.kept)))),
    },
    look: async () => ({ ...QUIET, at: state.now, ...state.found }),
    lost: () => undefined,
    online: () => state.online,
    endpoint: 'https://collector.example',
    sample: over.sample ?? 1,
    agent: AGENT,
    random: () => 0,
    async fetch(input, init) {
      tried.push(state.now)
      const answer = await state.answer()
      const zipped = await new Response(init?.body).blob()
      const body = await new Response(zipped.stream().pipeThrough(new DecompressionStream('gzip'))).text()
      if (answer.ok) arrived.push({ at: state.now, signal: String(input).split('/').at(-1) ?? '', body })
      return answer
    },
  }
  return { state, arrived, tried, parts, turn: () => takeTurn(parts) }
}

const metricsIn = (arrived: readonly Arrived[]): MetricsRequest =>
  metricsRequest.assert(JSON.parse(arrived.findLast(({ signal }) => signal === 'metrics')?.body ?? '{}'))
const valueOf = (request: MetricsRequest, name: string, attributes: object = {}) =>
  valuesIn(request).get(name)?.get(JSON.stringify(attributes))

const figure = (name: Figure['name'], value: number): Figure => ({
  id: crypto.randomUUID(),
  name,
  value,
  unit: name === 'CLS' ? 'score' : 'ms',
  at: new Date(START).toISOString(),
  route: '/request/$id',
})

/** A look at which every metric has something to say. */
const BUSY: Partial<Facts> = {
  queue: {
    unsent: { waiting: 1, sending: 1, failed: 2, expired: 3 },
    photos: 4,
    oldest: START - 26 * 60 * MINUTE,
    oldestSendable: null,
    waits: false,
    settled: [refusal('a'), refusal('b', 0), { ...refusal('c'), outcome: 'accepted' }],
  },
  errors: [errorFact(errorEntry('e')), errorFact(errorEntry('h', { message: 'HTTP 500', stack: '' }))],
  figures: summariesOf(
    figureNames.map((name) => figure(name, 120)),
    START,
  ),
  calls: { '2xx': 7, none: 1 },
}

describe('[decision 0077] what is sent', () => {
  test('is OTLP/HTTP JSON, and holds every metric of the table and no other, with its attributes', async () => {
    const { state, arrived, turn } = fleet()
    state.found = BUSY
    await turn()
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
      'service.instance.id': state.kept.id,
      'user_agent.name': 'Chrome',
      'user_agent.version': '150',
      'os.name': 'Android',
      'os.version': '15',
    })
  })

  test('errors and what happens to the app are events, one for each fingerprint, in a request of their own', async () => {
    const { state, arrived, turn } = fleet()
    state.kept = { ...state.kept, version: '1.2.2', layout: 0 }
    state.found = { ...BUSY, layout: 1, errors: ['e', 'f', 'g'].map((id) => errorFact(errorEntry(id))) }
    await turn()
    state.now += EVERY_MS
    await turn()
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
    const { state, arrived, turn } = fleet()
    state.found = BUSY
    for (let minutes = 0; minutes < 60; minutes += 1) {
      if (minutes === 30)
        state.found = { ...BUSY, queue: { ...QUIET.queue!, settled: [refusal('a'), refusal('a later')] } }
      state.found = { ...state.found, calls: {} }
      await Promise.all([turn(), turn()])
      state.now += MINUTE
    }
    state.now += EVERY_MS
    await turn()
    const request = metricsIn(arrived)
    expect(valueOf(request, 'genba.changes.refused', { code: '422', resource: 'quickReports' })).toBe(2)
    expect(valueOf(request, 'genba.changes.settled', { outcome: 'accepted' })).toBe(1)
    const errors = [...(valuesIn(request).get('genba.errors')?.values() ?? [])]
    expect(errors).toEqual([1, 1])
  })

  test('a row that stays in the ledger for weeks is not counted anew', async () => {
    const { state, arrived, turn } = fleet()
    state.found = BUSY
    for (let days = 0; days < 20; days += 1) {
      await turn()
      state.now += 24 * 60 * MINUTE
    }
    expect(
      valueOf(metricsIn(arrived), 'genba.changes.refused', { code: '422', resource: 'quickReports' }),
    ).toBe(1)
  })

  test('a device outside the sample tells what is unsent, and neither calls, figures nor errors', async () => {
    const { state, arrived, turn } = fleet({ sample: 0.5, id: 'ffffffff-0000-4000-8000-000000000000' })
    state.found = BUSY
    await turn()
    state.now += EVERY_MS
    await turn()
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

describe('[decision 0077] when it is sent', () => {
  const sendable = (age: number, over: object = {}): Partial<Facts> => ({
    queue: { ...QUIET.queue!, oldest: START - age, oldestSendable: START - age, ...over },
  })

  test.each([
    ['work is on its way', sendable(MINUTE), 0],
    ['what could go waits for the CRM', sendable(MINUTE, { waits: true }), 1],
    ['what should have gone an hour ago has not', sendable(61 * MINUTE), 1],
    ['what is left needs somebody', { queue: { ...QUIET.queue!, oldest: START - MINUTE } }, 1],
    ['nobody is signed in', { queue: null, layout: null }, 1],
  ])('%s', async (_, found, requests) => {
    const { state, arrived, turn } = fleet()
    state.found = found
    await turn()
    expect(arrived).toHaveLength(requests)
    state.found = {}
    await turn()
    expect(arrived).toHaveLength(1)
  })

  test('not without signal: samples wait, bounded, and go in one request; the totals are whole', async () => {
    const { state, arrived, turn } = fleet()
    state.online = false
    const calls = { '2xx': 1 } as const
    for (let hour = 0; hour < 48; hour += 1) {
      state.found = { calls, queue: { ...QUIET.queue!, settled: [refusal(`r${hour}`)] } }
      await turn()
      state.now += 60 * MINUTE
    }
    expect(arrived).toEqual([])
    state.online = true
    state.found = {}
    await turn()
    expect(arrived).toHaveLength(1)
    const request = metricsIn(arrived)
    expect(request.resourceMetrics).toHaveLength(MOST_SAMPLES)
    expect(valueOf(request, 'genba.calls', { outcome: '2xx' })).toBe(48)
    expect(valueOf(request, 'genba.telemetry.dropped', { signal: 'metrics' })).toBe(48 - MOST_SAMPLES)
    expect(state.kept.samples).toEqual([])
  })

  test('who takes nothing is asked seldomer, and at the time that it names', async () => {
    const { state, tried, arrived, turn } = fleet()
    state.answer = () => new Response('', { status: 503 })
    const run = async (minutes: number) => {
      for (let each = 0; each < minutes; each += 1) {
        await turn()
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
    const { state, tried, turn } = fleet()
    state.answer = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    await turn()
    expect(state.kept.samples).toHaveLength(1)
    state.now += EVERY_MS
    state.answer = () => Response.json({}, { status: 400 })
    await turn()
    expect(tried).toHaveLength(2)
    expect(state.kept.samples).toEqual([])
    expect(state.kept.totals['["genba.telemetry.dropped",[["signal","metrics"]]]']).toBe(2)
  })

  test('a clock that was set back does not silence the device', async () => {
    const { state, arrived, turn } = fleet()
    await turn()
    state.now -= 30 * 24 * 60 * MINUTE
    await turn()
    state.now += EVERY_MS
    await turn()
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
        const { state, tried, arrived, turn } = fleet()
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
          state.found = { errors, queue: { ...QUIET.queue!, oldest, oldestSendable: oldest, settled: rows } }
          state.answer = () => answerOf(answer)
          const before = tried.length
          await Promise.all(Array.from({ length: tabs }, turn))
          if (!online || working) expect(tried).toHaveLength(before)
          expectBounded(state.kept)
        }
        for (const [index, at] of tried.slice(1).entries())
          expect(at - (tried[index] ?? 0)).toBeGreaterThanOrEqual(EVERY_MS)
        // the last one that arrives says the whole
        state.online = true
        state.answer = () => Response.json({})
        state.found = { errors, queue: { ...QUIET.queue!, settled: rows } }
        for (let each = 0; each < 3; each += 1) {
          state.now += 5 * 60 * MINUTE
          await turn()
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

function expectBounded({ samples, events, totals }: KeptTelemetry): void {
  expect(samples.length).toBeLessThanOrEqual(MOST_SAMPLES)
  expect(samples.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(MOST_TEXT)
  expect(events.length).toBeLessThanOrEqual(MOST_EVENTS)
  expect(Object.keys(totals).length).toBeLessThanOrEqual(MOST_TOTALS + 10)
}

describe('[decision 0077] no personal data', () => {
  const item: QueueItem = {
    record: {
      resource: 'quickReports',
      key: 'k',
      requestId: 'r',
      workingDate: '2026-06-01',
      serverId: 's',
      changes: [],
      unsent: 'yes',
    },
    change: {
      id: 'c',
      stamp: 'stamp',
      savedAt: '2026-06-01T07:00:00+09:00',
      userId: 'u',
      offline: false,
      kind: 'entry',
      fields: { text: 'text', place: { name: 'name', phone: 'phone' }, madeOn: ['list'] },
    },
    state: 'failed',
    ledger: undefined,
    heldBy: undefined,
  }
  const entry: LedgerEntry = {
    ...blankLedgerEntry(item),
    state: 'refused',
    serverId: 'id',
    reasons: ['reason'],
    status: 422,
    payload: '{"text":1}',
    settledAt: '2026-06-01T07:10:00+09:00',
  }
  const outbox = (): Outbox => ({
    queue: [{ ...item, ledger: entry, heldBy: 'other' }],
    photos: [{ resource: 'quickReports', recordKey: 'k', sent: 0, total: 1, items: [item] }],
    unsent: 1,
    failed: true,
    wait: null,
    sent: [{ ...entry, state: 'accepted' }],
    ledger: new Map([['c', entry]]),
  })
  const inputs = () => ({
    outbox: outbox(),
    error: errorEntry('e', { response: '500 https://a/b', user: 'u 5 name', browser: 'b', os: 'o' }),
    figure: figure('INP', 90),
  })

  /** Paths of every text in it, names of fields included. */
  function textsIn(value: unknown, path: string[] = []): string[][] {
    if (typeof value === 'string') return [path]
    if (value instanceof Map)
      return [...value.entries()].flatMap(([key, each]) => textsIn(each, [...path, String(key)]))
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]))
  }
  function plant(value: object, [name = '', ...rest]: string[], canary: string): void {
    const isMap = value instanceof Map
    const within: unknown = isMap ? value.get(name) : Reflect.get(value, name)
    if (rest.length > 0) return plant(within as object, rest, canary)
    if (isMap) value.set(name, canary)
    else Reflect.set(value, name, canary)
  }

  const CANARIES = [
    'カナリア太郎',
    'CANARY-090-1234-5678',
    'CanaryTaroError',
    'canary@example.jp /assets/canary-12345678.js:1:2',
  ]

  test('a canary in any field of the queue, the ledger, the error log and the figures is in nothing that is sent', async () => {
    const paths = textsIn(inputs())
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths)
      for (const canary of CANARIES) {
        const planted = structuredClone(inputs())
        plant(planted, path, canary)
        const { state, arrived, turn } = fleet()
        state.found = {
          queue: queueFacts(planted.outbox),
          errors: [errorFact(planted.error)],
          figures: summariesOf([planted.figure], START),
        }
        await turn()
        state.now += EVERY_MS
        await turn()
        const told = arrived.map(({ body }) => body).join('\n')
        expect(told, path.join('.')).not.toMatch(/カナリア|canary|090-1234/i)
        // it was sent, and all else is there
        expect(told, path.join('.')).toContain('genba.unsent')
      }
  })

  test('and so is what is kept for it on the device', () => {
    const kept = newTelemetry('id', START)
    expect(keptTelemetry(kept)).not.toBeInstanceOf(type.errors)
    expect(Object.keys(kept)).not.toContain('user')
  })
})

test('the same error has the same fingerprint in another version, another one has another', () => {
  const of = (over: Partial<ErrorLogEntry>) => errorFact(errorEntry('e', over)).fingerprint
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

test('calls are counted by what was answered, until they are taken', async () => {
  const answers = [200, 304, 404, 429, 503]
  const counter = countCalls(async () => {
    const status = answers.shift()
    if (status === undefined) throw new TypeError('Failed to fetch')
    return new Response(null, { status })
  })
  for (let each = 0; each < 5; each += 1) await counter.fetch('/api')
  await expect(counter.fetch('/api')).rejects.toThrow('Failed')
  const taken = counter.take()
  expect(taken).toEqual({ '2xx': 1, '304': 1, '4xx': 1, '429': 1, '5xx': 1, none: 1 })
  expect(counter.take()).toEqual({})
  counter.giveBack(taken)
  expect(counter.take()).toEqual(taken)
})

test.each([
  ['1.2.3', 1.00020003],
  ['0.10.0', 0.001],
  ['1', null],
])('version %s as a number', (version, number) => expect(versionNumber(version)).toBe(number))
