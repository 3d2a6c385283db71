/** Seed visits are finished on past days, except slot 6 of yesterday. Today only slot 0 is finished, after its end. */
import { addDays, tokyoDay } from './tokyo-day.ts'
import { others, staffIdOf, userByName } from './people.ts'
import { endTime, type SeedVisit } from './visits.ts'

const author = (userName: string) => {
  const user = userByName(userName)
  return user ? staffIdOf(user) : userName
}
export const STAFF = author('demo6')
export const MANAGER = author('demo5')
export const OTHER = others[0]?.id ?? ''

export const isDone = (visit: SeedVisit, now: number) =>
  visit.workingDate < tokyoDay(now)
    ? !(visit.slot === 6 && visit.workingDate === addDays(tokyoDay(now), -1))
    : visit.slot === 0 && Date.parse(endTime(visit)) <= now

export const minutesLater = (time: string, minutes: number) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const total = hour * 60 + minute + minutes
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`
}
