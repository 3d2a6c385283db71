/** How a measure is written down. */

const sorted = (values) => values.toSorted((a, b) => a - b)
export const median = (values) => sorted(values)[Math.floor(values.length / 2)]
/** The nearest rank: always a value that was measured. */
export const percentile = (values, share) => sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)]
/** With few values the largest. */
const p95 = (values) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * 0.95))]

const rounded = (value) => Number(value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0))

/** Times against their floor. @param target the largest ratio that is wanted; null: it is only told */
export function against({ id, what, floor, app, target, unit = 'ms' }) {
  const ratio = rounded(median(app) / median(floor))
  return {
    id,
    what,
    unit,
    floor: rounded(median(floor)),
    median: rounded(median(app)),
    p95: rounded(p95(app)),
    ratio,
    ...(target !== null && { target: `≤ ${target} ×`, met: ratio <= target }),
  }
}

/** Times with a limit of their own, beside their floor. */
export const under = ({ limit, ...row }) => {
  const { median: middle, ...rest } = against({ ...row, target: limit })
  return { ...rest, median: middle, target: `≤ ${limit} ms`, met: middle <= limit }
}

/** Values with a limit of their own; the median's share of it is what is compared. */
export const limited = ({ id, what, values, floor, limit, unit = 'ms' }) => ({
  ...within({ id, what, value: median(values), limit, unit }),
  ...(floor !== undefined && { floor: rounded(floor) }),
  p95: rounded(p95(values)),
})

/** A figure with a limit of its own; its share of the limit is what is compared. */
export const within = ({ id, what, value, limit, unit }) => ({
  id,
  what,
  unit,
  median: rounded(value),
  ratio: rounded(value / limit),
  target: `≤ ${limit} ${unit}`,
  met: value <= limit,
})

/** A score that is to be reached; how far it falls short is what is compared. */
export const atLeast = ({ id, what, value, wanted }) => ({
  id,
  what,
  median: value,
  ratio: rounded(wanted / value),
  target: `≥ ${wanted}`,
  met: value >= wanted,
})

const COLUMNS = [
  ['measure', ({ what }) => what],
  ['unit', ({ unit }) => unit],
  ['floor', ({ floor }) => floor],
  ['median', (row) => row.median],
  ['p95', (row) => row.p95],
  ['ratio', ({ ratio }) => ratio],
  ['target', ({ target }) => target],
  ['met', ({ met }) => (met === undefined ? undefined : met ? 'yes' : 'no')],
]

/** As Markdown, so that it can stand in the README. */
export function table(rows) {
  const line = (cells) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`
  return [
    line(COLUMNS.map(([name]) => name)),
    line(COLUMNS.map(() => '---')),
    ...rows.map((row) => line(COLUMNS.map(([, cell]) => cell(row)))),
  ].join('\n')
}
