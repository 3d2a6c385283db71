/** What a worker does with the app, and how old what is on the device is in the morning. All chances from one seed. */
import type { RequestRecord } from '#schemas/resources/request.ts'
import { daysAt, lifeOf } from '#sync/pull/engine/freshness.ts'
import { int, pickOf, type Random } from '../random.ts'
import type { FleetDevice } from './fleet-device.ts'
import type { Timeline } from './timeline.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
/** Seven visits a day from yesterday to 14 days ahead, and five more tomorrow: 117. */
export const USUAL = Array.from({ length: 16 }, (_, day) => (day === 2 ? 12 : 7))
const JOBS = 7

/** To the minute, and each but once: of ages there are thousands to a device. */
const texts = new Map<number, string>()
function iso(ms: number): string {
  const minute = Math.floor(ms / MINUTE)
  const known = texts.get(minute)
  if (known !== undefined) return known
  const text = new Date(minute * MINUTE).toISOString()
  texts.set(minute, text)
  return text
}
/** Each but once, too. */
const dayTimes = new Map<string, number>()
function dayAt(day: string): number {
  const known = dayTimes.get(day) ?? Date.parse(day)
  dayTimes.set(day, known)
  return known
}
/** Less than this part of its life has passed on average where something is read when it is due. */
const MEAN_DUE = 0.75

/** Normally distributed about 07:50, none before 07:30 or after 08:30. @returns epoch ms */
export function firstLook(random: Random, midnight: number): number {
  const [mean, deviation] = [7 * HOUR + 50 * MINUTE, 12 * MINUTE]
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const at = mean + normal * deviation
    if (at >= 7.5 * HOUR && at <= 8.5 * HOUR) return midnight + at
  }
}

/**
 * What is on the device was read until `lastUse`, as the rules would have it; visits of the window's last day are new.
 * @param lastUse epoch ms
 */
export function age(device: FleetDevice, random: Random, lastUse: number, newest: string): void {
  const days = daysAt(lastUse)
  const todayAt = Date.parse(days.today)
  const readAt = (kept: 'details' | 'lists' | 'seldom', visits: readonly RequestRecord[]) => {
    const life = lifeOf(kept, visits, days) * MEAN_DUE
    return iso(lastUse - random() * Math.min(life, sinceFirstSeen(visits, todayAt)))
  }
  for (const visit of device.visits) {
    const isNew = visit.workingDate === newest
    visit.detailConfirmedAt = isNew ? '' : readAt('details', [visit])
  }
  for (const known of device.lists) {
    const { requests } = known.list
    if (requests.every(({ workingDate }) => workingDate === newest)) continue
    known.mark = { basis: known.basis, at: readAt(known.pull.lifetime, requests), stamp: '' }
  }
  device.settle()
}

/** A visit is first seen 14 days before its day. */
function sinceFirstSeen([visit]: readonly RequestRecord[], todayAt: number): number {
  const ahead = visit ? (dayAt(visit.workingDate) - todayAt) / (24 * HOUR) : 0
  return Math.max(0.3, 14 - ahead) * 24 * HOUR
}

interface Day {
  device: FleetDevice
  time: Timeline
  random: Random
  midnight: number
}

const OPENINGS_BESIDE = 15
/** Of the times that the app comes into sight it was no longer in memory so often. */
const COLD = 0.25
const UNDERGROUND_JOBS = 3
/** Rows of the window that others change: over night, and during the day. */
const CHANGED_BEFORE = 3
const CHANGED_BY_DAY = 3

/** A day of seven jobs: 50 openings of screens, an entry and an exit for each job, some of them underground. */
export function liveDay(day: Day, first: number): void {
  const { device, time, random, midnight } = day
  const { today } = daysAt(midnight)
  const todays = device.visits.filter(({ workingDate }) => workingDate === today).slice(0, JOBS)
  const ahead = device.visits.filter(({ workingDate }) => workingDate > today)
  const change = () => {
    const visit = pickOf(device.visits, random())
    if (visit) device.changeRow(visit)
  }
  for (let n = 0; n < CHANGED_BEFORE; n++) change()
  for (let n = 0; n < CHANGED_BY_DAY; n++) time.at(first + random() * 9 * HOUR, change)
  // the morning: the list, and the first two jobs
  inSight(day, first, 5 + random() * 5, true)
  todays.slice(0, 2).forEach((visit, n) => time.at(first + (1 + n) * MINUTE, () => device.open(visit)))
  const length = (17.5 * HOUR - 8.75 * HOUR) / JOBS
  todays.forEach((visit, n) =>
    job(day, visit, n, midnight + 8.75 * HOUR + n * length + random() * 0.3 * HOUR),
  )
  const evening = midnight + 17.6 * HOUR + random() * 0.3 * HOUR
  inSight(day, evening, 8, random() < COLD)
  for (let n = 0; n < OPENINGS_BESIDE - 2 - JOBS; n++)
    time.at(evening + n * MINUTE, () => {
      const visit = ahead[int(random, 0, 11)]
      if (visit) device.open(visit)
    })
}

/** Arrival, entry, a look in between, the exit, perhaps underground: five openings of 依頼詳細, one of a list. */
function job(day: Day, visit: RequestRecord, number: number, at: number): void {
  const { device, time, random } = day
  const isUnderground = number % 2 === 1 && number < 2 * UNDERGROUND_JOBS
  const minutes = (n: number) => at + n * MINUTE
  inSight(day, minutes(0), 4, random() < COLD)
  time.at(minutes(0.2), () => device.open(visit))
  time.at(minutes(1), () => device.openList(number % 3 === 2 ? 'pastReports' : 'noteLocationAreas', visit))
  time.at(minutes(2), () => device.open(visit))
  time.at(minutes(2.5), () => device.save(visit, 'entry'))
  if (isUnderground) time.at(minutes(6), () => device.caller.network(false))
  inSight(day, minutes(20), 2, random() < COLD)
  time.at(minutes(20.2), () => device.open(visit))
  inSight(day, minutes(40), 4, random() < COLD)
  time.at(minutes(40.2), () => device.open(visit))
  time.at(minutes(42), () => device.save(visit, 'exit'))
  time.at(minutes(43), () => device.open(visit))
  if (isUnderground) {
    time.at(minutes(46), () => device.caller.network(true))
    inSight(day, minutes(46.5), 2, false)
  }
}

function inSight({ device, time }: Day, from: number, minutes: number, cold: boolean): void {
  time.at(from, () => device.show(cold))
  time.at(from + minutes * MINUTE, () => device.hide())
}
