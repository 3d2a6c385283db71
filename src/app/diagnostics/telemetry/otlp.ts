/** OTLP/HTTP JSON by OpenTelemetry's encoder. Its SDK's counters are lost when the page closes, so unused. */
import { ValueType, type HrTime } from '@opentelemetry/api'
import { JsonLogsSerializer, JsonMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { retryAfterMs } from '#sync/lib/backoff.ts'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import type { Facts } from './facts.ts'
import { METRICS, type Attributes } from './metrics.ts'
import type { Posted, Signal } from './schedule.ts'
import type { TelemetryEvent, TelemetryState } from './state.ts'

const SCOPE = 'genba-work'

/** Attributes of the sending device: random id, version, browser and system. They name no user or company. */
export function resourceOf(id: string, version: string, agent: string): Attributes {
  const [browser, browserVersion] = nameAndMajor(browserOf(agent))
  const [system, systemVersion] = nameAndMajor(systemOf(agent))
  return {
    'service.name': SCOPE,
    'service.version': version,
    'service.instance.id': id,
    'user_agent.name': browser,
    'user_agent.version': browserVersion,
    'os.name': system,
    'os.version': systemVersion,
  }
}

function nameAndMajor(text: string): [name: string, major: string] {
  const [, name = text, major = ''] = /^(.*?) (\d+)[\d.]*$/.exec(text) ?? []
  return [name, major]
}

const METRICS_HEAD = '{"resourceMetrics":['
const TAIL = ']}'

/** @returns elements of `resourceMetrics` as JSON, without the brackets of the array */
export function sampleText(
  { since, totals }: TelemetryState,
  facts: Facts,
  resource: Attributes,
  isSampled: boolean,
): string {
  const times = { startTime: hrTime(since), endTime: hrTime(facts.at) }
  const metrics = METRICS.filter(({ sampled }) => isSampled || !sampled).map(
    ({ name, kind, unit, description, points }): MetricData => ({
      descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      ...(kind === 'counter'
        ? { dataPointType: DataPointType.SUM, isMonotonic: true }
        : { dataPointType: DataPointType.GAUGE }),
      dataPoints: points(facts, totals).map(({ value, attributes }) => ({
        ...times,
        value,
        attributes: withPlainValues(attributes),
      })),
    }),
  )
  const scopeMetrics = [
    {
      scope: { name: SCOPE, version: facts.version },
      metrics: metrics.filter(({ dataPoints }) => dataPoints.length > 0),
    },
  ]
  const bytes = JsonMetricsSerializer.serializeRequest({
    resource: resourceFromAttributes(resource),
    scopeMetrics,
  })
  return textOf(bytes).slice(METRICS_HEAD.length, -TAIL.length)
}

export const metricsBody = (samples: TelemetryState['samples']): string =>
  METRICS_HEAD + samples.map(({ text }) => text).join(',') + TAIL

export function logsBody(events: readonly TelemetryEvent[], attributes: Attributes, version: string): string {
  const resource = resourceFromAttributes(attributes)
  const instrumentationScope = { name: SCOPE, version }
  const records = events.map((event) => ({
    hrTime: hrTime(event.at),
    hrTimeObserved: hrTime(event.at),
    eventName: event.name,
    // Some back ends display only the body of a log record.
    body: event.name,
    resource,
    instrumentationScope,
    attributes: withPlainValues(event.attributes),
    droppedAttributesCount: 0,
  }))
  return textOf(JsonLogsSerializer.serializeRequest(records))
}

/** Replaces attribute values with unusual characters by `other`, because they could contain typed text. */
const withPlainValues = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'number' || PLAIN_VALUE.test(value) ? value : 'other',
    ]),
  )

const PLAIN_VALUE = /^[\w .:/-]{0,600}$/

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1_000_000)]
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

type Post = { fetch: typeof globalThis.fetch; endpoint: string; signal: Signal; body: string; now: number }

const TIMEOUT_MS = 30_000
/** Statuses that reject the content, so that sending it again is useless. Other statuses may come from the network. */
const REJECTED: readonly number[] = [400, 413, 422]

export async function post({ fetch, endpoint, signal, body, now }: Post): Promise<Posted> {
  try {
    const answer = await fetch(`${endpoint}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: await zipped(body),
      // Neither the session's cookies nor the page's address are sent to the collector.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'error',
      priority: 'low',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    void answer.body?.cancel().catch(() => undefined)
    // Only JSON comes from a collector. An HTML page comes from a Wi-Fi portal or a proxy.
    if (answer.ok && (answer.headers.get('content-type') ?? '').includes('json')) return { kind: 'sent' }
    if (REJECTED.includes(answer.status)) return { kind: 'rejected' }
    return { kind: 'failed', retryAfterMs: retryAfterMs(answer.headers.get('retry-after'), now) }
  } catch {
    return { kind: 'failed', retryAfterMs: 0 }
  }
}

const zipped = async (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
