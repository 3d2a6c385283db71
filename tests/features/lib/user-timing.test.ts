import { expect, test } from 'vitest'
import { measureFirstRows, measurePaint, measureSave, noteDurable, watchTouches } from '#lib/user-timing.ts'

const measured = (name: string) => performance.getEntriesByName(name)
const painted = () => new Promise((done) => setTimeout(done, 100))

const aMoment = () => new Promise((done) => setTimeout(done, 20))
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
  measurePaint('app:open-request')
  await painted()
  expect(measured('app:search')).toHaveLength(0)
  expect(measured('app:open-request')).toHaveLength(1)
})

test('[User Timing] first rows are measured once, from the navigation', async () => {
  measureFirstRows()
  await painted()
  measureFirstRows()
  await painted()
  expect(measured('app:first-rows')).toMatchObject([{ startTime: 0 }])
})
