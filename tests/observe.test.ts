/**
 * What stands in deploy/observe and docs/telemetry.md is what the app sends, both ways: one table of names
 * (decisions/telemetry).
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { resourceOf } from '#app/diagnostics/telemetry/otlp.ts'
import { EVENTS, METRICS } from '#app/diagnostics/telemetry/metrics.ts'
import { groupsIn, metricsIn, PROMETHEUS, TARGET_INFO } from './observe/prometheus-names.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

const rule = type({
  alert: 'string',
  expr: 'string',
  'for?': 'string',
  labels: { severity: "'warning' | 'critical'" },
  annotations: { summary: 'string', docs: 'string' },
})
const rules = type({ groups: type({ name: 'string', rules: rule.array() }).array() })
  .assert(parse(read('deploy/observe/rules.yaml')))
  .groups.flatMap((group) => group.rules)

const target = type({ refId: 'string', datasource: { type: 'string', uid: 'string' }, expr: 'string > 0' })
const panel = type({
  id: 'number',
  type: 'string',
  title: 'string > 0',
  gridPos: { x: '0 <= number < 24', y: 'number >= 0', w: '1 <= number <= 24', h: 'number >= 1' },
  'targets?': target.array().atLeastLength(1),
})
const board = type({
  uid: 'string',
  title: 'string',
  schemaVersion: 'number',
  panels: panel.array(),
  templating: { list: type({ name: 'string', type: "'datasource'", query: 'string' }).array() },
}).assert(JSON.parse(read('deploy/observe/board.json')))
const targets = board.panels.flatMap((each) => each.targets ?? [])

const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...targets
    .filter(({ datasource }) => datasource.type === 'prometheus')
    .map(({ expr }) => ({ where: expr, expr })),
]
const RESOURCE = Object.keys(resourceOf('id', '1.2.3', 'agent'))

describe('[decisions/telemetry] rules and board', () => {
  test.each(expressions)('$where asks for what the app sends, by labels that it has', ({ expr }) => {
    const asked = metricsIn(expr)
    expect(asked.length).toBeGreaterThan(0)
    const known = asked.map(({ name, labels }) => {
      const own = name === TARGET_INFO ? targetLabels : PROMETHEUS.get(name)
      expect(own).toEqual(expect.arrayContaining(labels))
      return own ?? []
    })
    expect(known.flat()).toEqual(expect.arrayContaining(groupsIn(expr)))
  })
  const targetLabels = [...RESOURCE.map((name) => name.replaceAll('.', '_')), 'job', 'instance']

  test('every metric that the app sends is on the board or in a rule', () => {
    const asked = new Set(expressions.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name)))
    expect([...PROMETHEUS.keys()].filter((name) => !asked.has(name))).toEqual([])
  })

  test('a name that the app does not send is found', () => {
    expect(metricsIn('sum by (state) (genba_unsent{state="failed"}) / genba_nothing')).toEqual([
      { name: 'genba_unsent', labels: ['state'] },
      { name: 'genba_nothing', labels: [] },
    ])
    expect(PROMETHEUS.has('genba_nothing')).toBe(false)
    expect(groupsIn('sum by (code, resource) (a) and on (instance) b')).toEqual([
      'code',
      'resource',
      'instance',
    ])
  })

  test('the four that were asked for are there, each with a page that says what to do', () => {
    expect(rules.map(({ alert }) => alert)).toEqual([
      'GenbaUnsentOver24h',
      'GenbaRefusedOver2Percent',
      'GenbaBelowMinimumVersion',
      'GenbaSilentWithUnsent',
    ])
    const docs = read('docs/telemetry.md')
    for (const { alert, annotations } of rules) {
      expect(annotations.docs).toBe(`docs/telemetry.md#${alert}`)
      expect(docs).toContain(`### ${alert}`)
    }
  })

  test('the board can be imported: each panel once, its sources chosen at the import, none over another', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    const sources = new Set(board.templating.list.map(({ name }) => `\${${name}}`))
    for (const { datasource } of targets) expect(sources).toContain(datasource.uid)
    const places = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(places).size).toBe(places.length)
  })
})

describe('[decisions/telemetry] the collector', () => {
  const names = type('string[]')
  const statements = type({ context: 'string', statements: names }).array()
  const collector = type({
    processors: {
      'filter/known': {
        metrics: { include: { match_type: "'strict'", metric_names: names } },
        logs: { include: { match_type: "'strict'", bodies: names } },
      },
      'transform/known': { metric_statements: statements, log_statements: statements },
    },
    exporters: { prometheus: { metric_expiration: 'string', add_metric_suffixes: 'true' } },
  }).assert(parse(read('deploy/observe/collector.yaml')))
  const known = collector.processors['filter/known']
  const kept = collector.processors['transform/known']
  const keysOf = (list: typeof statements.infer, context: string): string[] => {
    const text = list.find((each) => each.context === context)?.statements.join('\n') ?? ''
    return [...(/keep_keys\(attributes, \[([^\]]*)\]\)/.exec(text)?.[1]?.matchAll(/"([^"]+)"/g) ?? [])].map(
      ([, key = '']) => key,
    )
  }

  test('lets through each metric, event and attribute of the table, and no other', () => {
    expect(known.metrics.include.metric_names).toEqual(METRICS.map(({ name }) => name))
    expect(known.logs.include.bodies).toEqual(Object.values(EVENTS).map(({ name }) => name))
    for (const list of [kept.metric_statements, kept.log_statements])
      expect(keysOf(list, 'resource')).toEqual(RESOURCE)
    const ofPoints = new Set(METRICS.flatMap(({ attributes }) => attributes))
    expect(keysOf(kept.metric_statements, 'datapoint').toSorted()).toEqual([...ofPoints].toSorted())
    const ofEvents = new Set(Object.values(EVENTS).flatMap(({ attributes }): string[] => [...attributes]))
    expect(keysOf(kept.log_statements, 'log').toSorted()).toEqual([...ofEvents].toSorted())
  })
})

test('[decisions/telemetry] the page for operators names every metric and event', () => {
  const docs = read('docs/telemetry.md')
  for (const { name } of [...METRICS, ...Object.values(EVENTS)]) expect(docs).toContain(`\`${name}\``)
})
