/** What somebody with a phone sees of today and tomorrow. */
import { tokyoDay } from '#schemas/instant.ts'
import { pickOf } from '../random.ts'
import { rowsOn } from './on-disk.ts'
import type { Watched } from './watched.ts'

const near = (phone: Watched) => {
  const now = phone.now()
  const days = [tokyoDay(now), tokyoDay(now, 1)]
  return rowsOn(phone.disk(), 'requests').filter(({ workingDate }) => days.includes(workingDate))
}
export const nearKey = (phone: Watched, chance: number) => pickOf(near(phone), chance)?.key ?? ''
export const reportKey = (phone: Watched, chance: number) =>
  pickOf(rowsOn(phone.disk(), 'quickReports'), chance)?.key ?? ''

/** More of it than its number has no photo. */
const SMALLEST = 100
export const photoSize = (count: number) => SMALLEST + count
