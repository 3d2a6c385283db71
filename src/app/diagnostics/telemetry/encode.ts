/**
 * OTLP/HTTP JSON, made by OpenTelemetry's own SDK and encoding. The SDK keeps its counters in memory, and a page lives for
 * minutes: totals are kept on the device, and told to it for each sample by observable instruments.
 */
import type { HrTime } from '@opentelemetry/api'
import { JsonLogsSerializer, JsonMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import type { Facts } from './facts.ts'
import type { Attributes, KeptTelemetry, TelemetryEvent } from './kept.ts'
import { METRICS } from './metrics.ts'

const SCOPE = 'genba-work'

/** Collects when it is asked to. */
class AskedReader extends MetricReader {
  protected override onShutdown = async () => undefined
  protected override onForceFlush = async () => undefined
}

/** What sends: the app, its version, the browser; the id is the device's own random one. No user, no company, no address. */
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

/** `Samsung Internet 25.0` → `Samsung Internet`, `25` */
function nameAndMajor(text: string): [name: string, major: string] {
  const [, name = text, major = ''] = /^(.*?) (\d+)[\d.]*$/.exec(text) ?? []
  return [name, major]
}

/** @returns the elements of `resourceMetrics`, as JSON without their brackets */
export async function sampleText(
  kept: KeptTelemetry,
  facts: Facts,
  resource: Attributes,
  isSampled: boolean,
): Promise<string> {
  const reader = new AskedReader()
  const provider = new MeterProvider({ resource: resourceFromAttributes(resource), readers: [reader] })
  const meter = provider.getMeter(SCOPE, facts.version)
  for (const { name, kind, unit, description, sampled, points } of METRICS) {
    if (sampled && !isSampled) continue
    const own = { unit, description }
    const made =
      kind === 'counter' ? meter.createObservableCounter(name, own) : meter.createObservableGauge(name, own)
    made.addCallback((result) => {
      for (const { value, attributes } of points(kept, facts)) result.observe(value, safe(attributes))
    })
  }
  const { resourceMetrics } = await reader.collect()
  const times = { startTime: hrTime(kept.since), endTime: hrTime(facts.at) }
  for (const { metrics } of resourceMetrics.scopeMetrics)
    // to the SDK every counter begins now
    for (const { dataPoints } of metrics) for (const point of dataPoints) Object.assign(point, times)
  await provider.shutdown()
  return textOf(JsonMetricsSerializer.serializeRequest(resourceMetrics)).slice(
    METRICS_HEAD.length,
    -TAIL.length,
  )
}

const METRICS_HEAD = '{"resourceMetrics":['
const TAIL = ']}'

/** @returns the body of one request */
export const metricsBody = (samples: KeptTelemetry['samples']): string =>
  METRICS_HEAD + samples.map(({ text }) => text).join(',') + TAIL

/** @returns the body of one request */
export function logsBody(events: readonly TelemetryEvent[], resource: Attributes, version: string): string {
  const records: ReadableLogRecord[] = []
  const provider = new LoggerProvider({
    resource: resourceFromAttributes(resource),
    processors: [
      {
        onEmit: (record) => void records.push(record),
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  })
  const logger = provider.getLogger(SCOPE, version)
  for (const { at, name, attributes } of events) {
    const time = hrTime(at)
    const times = { timestamp: time, observedTimestamp: time }
    // some back ends show the body alone
    logger.emit({ eventName: name, body: name, ...times, attributes: safe(attributes) })
  }
  return textOf(JsonLogsSerializer.serializeRequest(records))
}

/** No attribute is ever what somebody has written; were one, this is its last hurdle. */
function safe(attributes: Attributes): Attributes {
  const entries = Object.entries(attributes)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' || PLAIN.test(value) ? value : 'other']),
  )
}

const PLAIN = /^[\w .:/-]{0,600}$/

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1_000_000)]

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
