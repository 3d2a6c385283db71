/** Taps on the kept rows, before the app can draw (decision 0020). */
import { afterEach, expect, test, vi } from 'vitest'
import { takeTaps } from '#app/first-rows.ts'

afterEach(() => document.body.replaceChildren())

test('[hands 3] a row that is tapped twice before the app is there is one step back', async () => {
  const root = document.createElement('div')
  root.innerHTML = '<main><a href="/request/1?workingDate=2026-11-20">09:00 現場1</a></main>'
  document.body.append(root)
  const pushed = vi.spyOn(history, 'pushState')
  const { row } = takeTaps(root)
  const link = root.querySelector('a')
  link?.click()
  link?.click()
  await row
  expect(location.pathname + location.search).toBe('/request/1?workingDate=2026-11-20')
  expect(pushed).toHaveBeenCalledOnce()
  // as the app does when it draws: nothing is listened to any more
  root.replaceChildren()
})
