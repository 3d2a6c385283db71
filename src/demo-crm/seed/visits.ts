/**
 * Generates the requests of a day from the date alone, so that a day always has the same requests. A day has up to
 * eight slots with one request each:
 *
 *     0 early in the morning     2–4 three at one location (for bulk entry)   6 no contact for the exit
 *     1 emergency                5 work of several days (Mon–Wed, Thu–Fri)    7 only on some weekdays
 *
 * The id of a request contains its first day and its slot, so that the request can be generated from the id.
 */
import { addDays, atTime, dayNumber, dayOf, weekday, tokyoDay, tokyoTime } from './tokyo-day.ts'
import { contactOf, oneDayAreas, severalDaysAreas } from './locations.ts'
import { directionsOf, messageOf, situationOf } from './equipment.ts'
import { hash, pick } from './hash.ts'
import { others, staffIdOf, userByName } from './people.ts'

const EVERY_DAY_SLOTS = 7
const SEVERAL_DAYS_SLOT = 5
/** The hours of each slot, and its order flags in rotation. */
const slots: [start: string, end: string, orderFlags: string][] = [
  ['07:30', '08:30', '7'],
  ['09:00', '12:00', '1'],
  ['10:30', '11:30', '71'],
  ['10:30', '12:00', '17'],
  ['13:00', '14:30', '21'],
  ['13:00', '17:00', '32'],
  ['15:00', '16:30', '45687'],
  ['17:00', '18:30', '8'],
]

function blockOf(day: number, slot: number): { first: number; days: number } {
  const inWeek = weekday(day)
  if (slot !== SEVERAL_DAYS_SLOT || inWeek > 4) return { first: day, days: 1 }
  return inWeek <= 2 ? { first: day - inWeek, days: 3 } : { first: day - (inWeek - 3), days: 2 }
}

const isSlotUsed = (day: number, slot: number) =>
  slot < EVERY_DAY_SLOTS || (slot === EVERY_DAY_SLOTS && weekday(day) < 5 && hash(`extra ${day}`) % 3 === 0)

function areaOf(day: number, slot: number) {
  if (slot === SEVERAL_DAYS_SLOT) return pick(severalDaysAreas, `block ${day}`)
  return oneDayAreas[(day * 5 + ([0, 1, 2, 2, 2, 0, 3, 4][slot] ?? 0)) % oneDayAreas.length]!
}

function codeOf(id: string, first: string, slot: number): string {
  const [year = '', month, day] = first.split('-')
  return `R${year.slice(2)}-${month}${day}${hash(id) % 10}${slot}`
}

export type SeedVisit = ReturnType<typeof visitOf>

function visitOf(firstNumber: number, slot: number, nth: number, days: number) {
  const [first, id] = [dayOf(firstNumber), `r${firstNumber.toString(36)}-${slot}`]
  const area = areaOf(firstNumber, slot)
  const [start, end, flags] = slots[slot]!
  const rotation = slot === SEVERAL_DAYS_SLOT ? (days === 3 ? 0 : 1) : firstNumber
  const isDistributed = hash(`n ${id}`) % 3 !== 0
  const noContacts = slot === 6 && firstNumber % 2 === 0
  return {
    id,
    slot,
    area,
    start,
    end,
    requestCode: codeOf(id, first, slot),
    workingDate: addDays(first, nth),
    workingDateType: String(nth + 1),
    lastDay: addDays(first, days - 1),
    hasNoWater: area.kind !== 'parking' && hash(`w ${id}`) % 2 === 0,
    distribution: isDistributed
      ? { date: addDays(first, -3), name: String(1 + (hash(`dn ${id}`) % 3)) }
      : null,
    orderFlag: flags.charAt(rotation % flags.length),
    emergency: slot === 1,
    situation: situationOf(area.kind, id),
    message: hash(`mm ${id}`) % 5 === 0 ? null : messageOf(area.kind, id),
    directions: directionsOf(area.kind, id),
    inContact: noContacts ? null : contactOf(area, 'in'),
    outContact: slot === 6 ? null : contactOf(area, 'out'),
  }
}

export function visitsOn(day: string): SeedVisit[] {
  const number = dayNumber(day)
  const used = [...slots.keys()].filter((slot) => isSlotUsed(number, slot))
  return used.map((slot) => {
    const { first, days } = blockOf(number, slot)
    return visitOf(first, slot, number - first, days)
  })
}

/** Returns the visits of the days from `from` to `to`, both inclusive. */
export function visitsBetween(from: string, to: string): SeedVisit[] {
  const days = Math.max(0, dayNumber(to) - dayNumber(from) + 1)
  return Array.from({ length: days }, (_, i) => visitsOn(addDays(from, i))).flat()
}

/** Returns all working days of a request, in order; empty for an unknown id. */
export function seedVisitsOfRequest(id: string): SeedVisit[] {
  const [, number = '', slotText = ''] = /^r([0-9a-z]{3,4})-([0-7])$/.exec(id) ?? []
  const [first, slot] = [Number.parseInt(number, 36), Number(slotText)]
  if (!number || !isSlotUsed(first, slot)) return []
  const block = blockOf(first, slot)
  if (block.first !== first) return []
  return Array.from({ length: block.days }, (_, nth) => visitOf(first, slot, nth, block.days))
}

export const startTime = (visit: SeedVisit) => atTime(visit.workingDate, visit.start)
export const endTime = (visit: SeedVisit) => atTime(visit.workingDate, visit.end)

const author = (userName: string) => staffIdOf(userByName(userName)!)
export const STAFF = author('demo6')
export const MANAGER = author('demo5')
export const OTHER = others[0]!.id

export const isDone = (visit: SeedVisit, now: number) =>
  visit.workingDate < tokyoDay(now)
    ? !(visit.slot === 6 && visit.workingDate === addDays(tokyoDay(now), -1))
    : visit.slot === 0 && Date.parse(endTime(visit)) <= now

/** @param at date-time in ISO 8601 */
export const minutesLater = (at: string, minutes: number) => tokyoTime(Date.parse(at) + minutes * 60_000)
