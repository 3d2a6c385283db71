/** The days a fleet is put through. Each device is alone with its seed and the weather; only their calls are added up. */
import { daysAt } from '#sync/pull/engine/freshness.ts'
import { tokyoDay } from '#schemas/instant.ts'
import { chanceAt, randomOf, type Random } from '../random.ts'
import type { Trouble, Weather } from './crm-by-time.ts'
import { FleetDevice } from './fleet-device.ts'
import { Tally } from './tally.ts'
import { Timeline } from './timeline.ts'
import { copyOf, workOf, type Work } from './window-of-work.ts'
import { age, firstLook, HOUR, liveDay, MINUTE, USUAL } from './worker-day.ts'

/** Friday 2026-11-20 in Tokyo. */
const MIDNIGHT = Date.parse('2026-11-20T00:00:00+09:00')
const NEWEST = tokyoDay(MIDNIGHT, 14)
const LAST_USE = MIDNIGHT - 6.3 * HOUR

export const DAY_FROM = MIDNIGHT + 7.5 * HOUR
export const OUTAGE_FROM = MIDNIGHT + 10.5 * HOUR
export const OUTAGE_TO = OUTAGE_FROM + 30 * MINUTE
const OUTAGE_END = OUTAGE_TO + 20 * MINUTE
const REATTACHED_MS = 120_000

const SCENARIOS = {
  day: { kind: 'none' },
  resets: { kind: 'resets' },
  '503': { kind: 'status', status: 503, retryAfterMs: 0 },
  '503 with Retry-After': { kind: 'status', status: 503, retryAfterMs: 60_000 },
  'no network': { kind: 'no-network', backWithinMs: REATTACHED_MS },
  'half refused': { kind: 'refusals', share: 0.5 },
} as const satisfies Record<string, Trouble>
export type Scenario = keyof typeof SCENARIOS

export interface Result {
  from: number
  seconds: Uint32Array
  /** Calls of each device. */
  calls: number[]
  /** Saves that the CRM does not have at the end. */
  unsent: number
  /** The last save that it has, in ms after the outage. */
  lastSentMs: number
}

/** Windows differ, but not ten thousand times: making them takes longer than living through the day. */
const TEMPLATES = 20
const templates = Array.from({ length: TEMPLATES }, (_, n) => workOf(randomOf(n + 1), MIDNIGHT, USUAL))

interface Live {
  time: Timeline
  random: Random
  device: FleetDevice
  end: number
}

/** @param share this device of so many: `number` is its seed */
function setUp(number: number, scenario: Scenario, tally: Tally, counted: () => void): Live {
  const random = randomOf(Math.floor(chanceAt(number, 7, 0) * 2 ** 32))
  const isDay = scenario === 'day'
  const end = isDay ? MIDNIGHT + 18.5 * HOUR : OUTAGE_END
  const time = new Timeline(isDay ? DAY_FROM : MIDNIGHT + 10 * HOUR)
  const weather: Weather = { trouble: SCENARIOS[scenario], from: OUTAGE_FROM, to: OUTAGE_TO }
  const count = (now: number) => {
    tally.count(now)
    counted()
  }
  const work = copyOf(templates[number % TEMPLATES] as Work)
  const device = new FleetDevice({ time, random, weather, work, count })
  if (isDay) {
    age(device, random, LAST_USE, NEWEST)
    liveDay({ device, time, random, midnight: MIDNIGHT }, firstLook(random, MIDNIGHT))
  } else outage({ device, time, random, end }, weather)
  return { time, random, device, end }
}

/** Everyone has the app in sight before, during and after the outage, and saves one thing while it lasts. */
function outage({ device, time, random }: Live, { trouble }: Weather): void {
  const started = time.now + random() * 20 * MINUTE
  // read in the morning
  age(device, random, MIDNIGHT + 9.5 * HOUR, '')
  time.at(started, () => device.show(true))
  const { today } = daysAt(time.now)
  const [visit] = device.visits.filter(({ workingDate }) => workingDate === today)
  const saved = OUTAGE_FROM + random() * 30 * MINUTE
  if (visit) time.at(saved, () => device.save(visit, random() < 0.5 ? 'entry' : 'exit'))
  if (visit) time.at(saved - MINUTE, () => device.open(visit))
  if (trouble.kind !== 'no-network') return
  time.at(OUTAGE_FROM, () => device.caller.network(false))
  time.at(OUTAGE_TO + random() * trouble.backWithinMs, () => device.caller.network(true))
}

/** @param devices their numbers */
export function runFleet(devices: readonly number[], scenario: Scenario): Result {
  const from = scenario === 'day' ? DAY_FROM : MIDNIGHT + 10 * HOUR
  const tally = new Tally(from, scenario === 'day' ? MIDNIGHT + 18.5 * HOUR : OUTAGE_END)
  const result: Result = { from, seconds: tally.seconds, calls: [], unsent: 0, lastSentMs: 0 }
  for (const number of devices) {
    let calls = 0
    const { time, device, end } = setUp(number, scenario, tally, () => (calls += 1))
    time.runUntil(end)
    result.calls.push(calls)
    result.unsent += device.unsent
    result.lastSentMs = Math.max(result.lastSentMs, device.lastSentAt - OUTAGE_TO)
  }
  return result
}

/** Calls of hours in sight in which nothing happens, hour by hour after the first. @param today how many requests there are today */
export function idleHours(number: number, today: number, hours: number): number[] {
  const random = randomOf(Math.floor(chanceAt(number, 11, 0) * 2 ** 32))
  const from = MIDNIGHT + 8 * HOUR
  const time = new Timeline(from)
  const calls = Array.from({ length: hours + 1 }, () => 0)
  const count = (now: number) => {
    const hour = Math.floor((now - from) / HOUR)
    calls[hour] = (calls[hour] ?? 0) + 1
  }
  const perDay = today === 7 ? USUAL : USUAL.map((_, day) => (day === 1 ? today : 0))
  const weather: Weather = { trouble: { kind: 'none' }, from, to: from }
  const device = new FleetDevice({ time, random, weather, work: workOf(random, MIDNIGHT, perDay), count })
  age(device, random, from - HOUR, '')
  device.show(true)
  time.runUntil(from + (hours + 1) * HOUR)
  return calls.slice(1, hours + 1)
}
