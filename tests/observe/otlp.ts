/**
 * OTLP/HTTP JSON as the specification has it (opentelemetry-proto 1.x by the JSON mapping of proto3, with OTLP's own
 * exceptions): names in lowerCamelCase, enumerations as numbers, 64-bit times as decimal text. A receiver ignores what it
 * does not know; here that is an error, because nobody would ever see it.
 */
import { type } from 'arktype'

const strict = { '+': 'reject' } as const
const nanos = type(/^[1-9]\d{18}$/)
const count = type('number.integer >= 0')

const anyValue = type({ ...strict, stringValue: 'string' })
  .or({ ...strict, boolValue: 'boolean' })
  .or({ ...strict, intValue: 'number.integer' })
  .or({ ...strict, doubleValue: 'number' })

const keyValue = type({ ...strict, key: 'string > 0', value: anyValue })

const attributes = keyValue
  .array()
  .narrow(
    (list, ctx) => new Set(list.map(({ key }) => key)).size === list.length || ctx.mustBe('unique keys'),
  )

const resource = type({ ...strict, attributes, 'droppedAttributesCount?': count })
const scope = type({ ...strict, name: 'string > 0', 'version?': 'string', 'attributes?': attributes })

const point = {
  ...strict,
  'attributes?': attributes,
  startTimeUnixNano: nanos,
  timeUnixNano: nanos,
  'flags?': count,
} as const
const dataPoint = type({ ...point, asDouble: 'number' }).or({ ...point, asInt: 'number.integer' })
const points = dataPoint.array().atLeastLength(1)

const named = { ...strict, name: 'string > 0', description: 'string > 0', unit: 'string > 0' } as const
/** 2 is cumulative: what Prometheus wants. */
const metric = type({ ...named, gauge: { ...strict, dataPoints: points } }).or({
  ...named,
  sum: { ...strict, dataPoints: points, aggregationTemporality: '2', isMonotonic: 'true' },
})

export const metricsRequest = type({
  ...strict,
  resourceMetrics: type({
    ...strict,
    resource,
    scopeMetrics: type({ ...strict, scope, metrics: metric.array(), 'schemaUrl?': 'string' }).array(),
    'schemaUrl?': 'string',
  })
    .array()
    .atLeastLength(1),
})

const logRecord = type({
  ...strict,
  timeUnixNano: nanos,
  observedTimeUnixNano: nanos,
  'severityNumber?': '0 <= number.integer <= 24',
  'severityText?': 'string',
  'body?': anyValue,
  attributes,
  'droppedAttributesCount?': count,
  'flags?': count,
  'traceId?': /^[\da-f]{32}$/,
  'spanId?': /^[\da-f]{16}$/,
  eventName: 'string > 0',
})

export const logsRequest = type({
  ...strict,
  resourceLogs: type({
    ...strict,
    resource,
    scopeLogs: type({
      ...strict,
      scope,
      logRecords: logRecord.array().atLeastLength(1),
      'schemaUrl?': 'string',
    }).array(),
    'schemaUrl?': 'string',
  })
    .array()
    .atLeastLength(1),
})

export type MetricsRequest = typeof metricsRequest.infer
export type LogsRequest = typeof logsRequest.infer

/** What a request says, by metric: value by attributes (as JSON). The last sample counts. */
export function valuesIn(request: MetricsRequest): Map<string, Map<string, number>> {
  const values = new Map<string, Map<string, number>>()
  const metrics = request.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((each) => each.metrics),
  )
  for (const each of metrics) {
    const { dataPoints } = 'sum' in each ? each.sum : each.gauge
    const own = dataPoints.map((one) => {
      const named = (one.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]])
      return [JSON.stringify(Object.fromEntries(named)), 'asInt' in one ? one.asInt : one.asDouble] as const
    })
    values.set(each.name, new Map(own))
  }
  return values
}
