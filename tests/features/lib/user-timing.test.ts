import { expect, test } from 'vitest'
import { measure, measureFirstRows, measurePaint, watchTouches } from '#lib/user-timing.ts'

const measured = (name: string) => performance.getEntriesByName(name)
const painted = () => new Promise((done) => setTimeout(done, 100))

test('[User Timing] app:save runs from the last touch until now, and only the latest is kept', () => {
  watchTouches(window)
  const click = new Event('click', { bubbles: true })
  document.body.dispatchEvent(click)
  measure('app:save')
  measure('app:save')
  expect(measured('app:save')).toHaveLength(1)
  expect(measured('app:save')[0]?.startTime).toBe(click.timeStamp)
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
