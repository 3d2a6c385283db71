/** The app's metrics as Prometheus has them: the collector's `prometheus` exporter with `add_metric_suffixes`. */
import { METRICS } from '#app/diagnostics/telemetry/metrics.ts'

/** Units of UCUM that get a word of their own; what is counted, in braces, gets none. */
const SUFFIXES: Record<string, string> = { s: '_seconds', ms: '_milliseconds', By: '_bytes' }

const underscored = (name: string) => name.replaceAll('.', '_')

/** Names of the labels by name of the metric; job and instance have all of them. */
export const PROMETHEUS: ReadonlyMap<string, readonly string[]> = new Map(
  METRICS.map(({ name, unit, kind, attributes }) => {
    const suffix = unit.startsWith('{') ? '' : SUFFIXES[unit]
    if (suffix === undefined) throw new Error(`${name}: unit ${unit} has no name here`)
    const total = kind === 'counter' ? '_total' : ''
    return [underscored(name) + suffix + total, [...attributes.map(underscored), 'job', 'instance']]
  }),
)

/** What the collector makes of the resource. */
export const TARGET_INFO = 'target_info'

const NOT_NAMES = new Set(['by', 'on', 'and', 'or', 'unless', 'offset', 'without', 'group_left'])

/** The metrics that an expression asks for, each with the labels that are selected of it. */
export function metricsIn(expr: string): { name: string; labels: string[] }[] {
  const found = expr.matchAll(/\b((?:genba_\w+)|target_info)\b(?:\{([^}]*)\})?/g)
  return [...found].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=|!=|=~|!~)/g)].map(([, label = '']) => label),
  }))
}

/** Labels by which an expression groups or matches. */
export const groupsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((label) => label.trim())
    .filter((label) => label !== '' && !NOT_NAMES.has(label))
