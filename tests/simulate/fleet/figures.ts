/** What a fleet's runs come to, and the budget they are held to (RULES FL1). */
import { OUTAGE_FROM, OUTAGE_TO, DAY_FROM, idleHours, type Result, type Scenario } from './scenarios.ts'
import { Tally, type Figures } from './tally.ts'
import { HOUR, MINUTE } from './worker-day.ts'

/** The targets of FL1; calls per second are those of ten thousand devices. */
export const BUDGET = {
  idleOf60: 120,
  idleOf7: 40,
  day: 600,
  morning: 1_500,
  outage: 700,
  back: 1_500,
  sentWithinMs: 5 * MINUTE,
} as const

const BACK_MS = 15 * MINUTE
/** The first two minutes of an outage are everyone's finding out. */
const SETTLED_MS = 2 * MINUTE

const tallyOf = (results: readonly Result[]): Tally => {
  const [first] = results
  const { from = 0, seconds = new Uint32Array() } = first ?? {}
  const tally = new Tally(from, from + (seconds.length - 1) * 1_000)
  for (const result of results) tally.add(result.seconds)
  return tally
}

export interface OutageFigures {
  during: Figures
  back: Figures
  unsent: number
  lastSentMs: number
}

export function outageFigures(results: readonly Result[], binSeconds = 1): OutageFigures {
  const tally = tallyOf(results)
  return {
    during: tally.between(OUTAGE_FROM + SETTLED_MS, OUTAGE_TO, binSeconds),
    back: tally.between(OUTAGE_TO, OUTAGE_TO + BACK_MS, binSeconds),
    unsent: results.reduce((all, { unsent }) => all + unsent, 0),
    lastSentMs: Math.max(...results.map(({ lastSentMs }) => lastSentMs)),
  }
}

export function dayFigures(results: readonly Result[], binSeconds = 1) {
  const tally = tallyOf(results)
  return {
    perDevice: spread(results.flatMap(({ calls }) => calls)),
    firstQuarter: tally.between(DAY_FROM, DAY_FROM + 15 * MINUTE, binSeconds),
    firstHour: tally.between(DAY_FROM, DAY_FROM + HOUR, binSeconds),
    day: tally.between(DAY_FROM, DAY_FROM + 11 * HOUR, binSeconds),
  }
}

/** Hours in sight without a touch, of some devices. */
export const idleFigures = (today: number, devices = 10, hours = 8) =>
  spread(Array.from({ length: devices }, (_, number) => idleHours(number + 1, today, hours)).flat())

function spread(numbers: readonly number[]) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const sum = sorted.reduce((all, each) => all + each, 0)
  return {
    mean: sum / sorted.length,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    most: sorted.at(-1) ?? 0,
  }
}

export const OUTAGES = [
  'resets',
  '503',
  '503 with Retry-After',
  'no network',
  'half refused',
] as const satisfies Scenario[]
