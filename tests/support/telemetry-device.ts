/** A device that sends telemetry, with tabs that share its state, and the collector. */
import type { ErrorEntry } from '#app/diagnostics/store.ts'
import { errorFact, type Facts, type QueueFacts, type SettledFact } from '#app/diagnostics/telemetry/facts.ts'
import { telemetryRound, type TelemetryRound } from '#app/diagnostics/telemetry/run.ts'
import { newTelemetry, telemetryState } from '#app/diagnostics/telemetry/state.ts'
import { figureNames, summariesOf, type Figure } from '#lib/field-figures.ts'
import { metricsRequest, valuesIn, type MetricsRequest } from '../observe/otlp.ts'

export const START = Date.parse('2026-06-01T08:00:00+09:00')
export const MINUTE = 60_000
const AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.7123.44 Mobile Safari/537.36'

export const QUIET_QUEUE: QueueFacts = {
  unsent: { waiting: 0, sending: 0, failed: 0, expired: 0 },
  photos: 0,
  oldest: null,
  oldestSendable: null,
  waits: false,
  settled: [],
}

const QUIET: Facts = {
  at: START,
  version: '1.2.3',
  isBelowMinimum: false,
  layout: 0,
  queue: QUIET_QUEUE,
  storage: { used: 1_000, free: 9_000, persisted: true },
  errors: [],
  figures: [],
  calls: {},
}

export const refusal = (id: string, status = 422): SettledFact => ({
  id,
  outcome: 'refused',
  resource: 'quickReports',
  status,
})
export const errorEntry = (id: string, over: Partial<ErrorEntry> = {}): ErrorEntry => ({
  id,
  at: new Date(START).toISOString(),
  message: 'TypeError: Cannot read properties of undefined',
  stack: 'TypeError: Cannot read …\n    at a (https://app.example/assets/outbox-B1a2c3d4.js:12:345)',
  response: '',
  screen: '/request',
  user: '',
  agent: '',
  ...over,
})

export interface Arrived {
  at: number
  signal: string
  body: string
}

/** A collector, and a device whose tabs share the state. */
export function fleet(over: { sample?: number; id?: string } = {}) {
  const state = {
    now: START,
    online: true,
    found: {} as Partial<Facts>,
    stored: newTelemetry(over.id ?? '00000000-0000-4000-8000-000000000000', START),
    answer: (): Response | Promise<Response> => Response.json({}),
  }
  const arrived: Arrived[] = []
  const tried: number[] = []
  const parts: TelemetryRound = {
    store: {
      update: async (change) => (state.stored = telemetryState.assert(structuredClone(change(state.stored)))),
    },
    collect: async () => ({ ...QUIET, at: state.now, ...state.found }),
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
      if (answer.ok)
        arrived.push({ at: state.now, signal: new Request(input).url.split('/').at(-1) ?? '', body })
      return answer
    },
  }
  return { state, arrived, tried, parts, round: () => telemetryRound(parts) }
}

export const metricsIn = (arrived: readonly Arrived[]): MetricsRequest =>
  metricsRequest.assert(JSON.parse(arrived.findLast(({ signal }) => signal === 'metrics')?.body ?? '{}'))
export const valueOf = (request: MetricsRequest, name: string, attributes: object = {}) =>
  valuesIn(request).get(name)?.get(JSON.stringify(attributes))

export const figure = (name: Figure['name'], value: number): Figure => ({
  id: crypto.randomUUID(),
  name,
  value,
  unit: name === 'CLS' ? 'score' : 'ms',
  at: new Date(START).toISOString(),
  route: '/request/$id',
})

/** Facts of which every metric has something to say. */
export const BUSY: Partial<Facts> = {
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
