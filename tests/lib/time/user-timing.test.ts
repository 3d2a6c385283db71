// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import {
  measureFirstRows,
  measurePaint,
  measureSave,
  noteDurable,
  watchTouches,
} from '#lib/time/user-timing.ts'
import { atRest } from '../../support/at-rest.ts'

const measured = (name: string) => performance.getEntriesByName(name)
/** Another one, asked for later, was painted. */
async function painted(name: 'app:search' | 'app:open-request') {
  measurePaint(name)
  await vi.waitFor(() => expect(measured(name)).toHaveLength(1))
}
const aMoment = () => atRest(2)
const endOf = (entry?: PerformanceEntry) => (entry ? entry.startTime + entry.duration : Number.NaN)

test('[User Timing] app:save runs from the last touch until its write is on disk, and only the latest is kept', async () => {
  watchTouches(window)
  const click = new Event('click', { bubbles: true })
  document.body.dispatchEvent(click)
  await aMoment()
  noteDurable()
  const durable = performance.now()
  await aMoment()
  measureSave()
  measureSave()
  expect(measured('app:save')).toHaveLength(1)
  expect(measured('app:save')[0]?.startTime).toBe(click.timeStamp)
  expect(endOf(measured('app:save')[0])).toBeLessThanOrEqual(durable)
})

test('[User Timing] a save that had nothing to write runs until now', async () => {
  noteDurable()
  await aMoment()
  const click = new Event('click', { bubbles: true })
  document.body.dispatchEvent(click)
  measureSave()
  expect(measured('app:save')[0]?.startTime).toBe(click.timeStamp)
  expect(measured('app:save')[0]?.duration).toBeGreaterThanOrEqual(0)
})

test('[User Timing] what is left before it was painted is not measured', async () => {
  const stop = measurePaint('app:search')
  stop()
  await painted('app:open-request')
  expect(measured('app:search')).toHaveLength(0)
})

test('[User Timing] first rows are measured once, from the navigation', async () => {
  measureFirstRows()
  await vi.waitFor(() => expect(measured('app:first-rows')).toMatchObject([{ startTime: 0 }]))
  const [first] = measured('app:first-rows')
  measureFirstRows()
  await painted('app:search')
  expect(measured('app:first-rows')).toEqual([first])
})
