/** How far what stands on a screen moves by itself, each screen opened cold by its address, without signal. */
import { slowPage } from './device.mjs'

const SLOW = 4
const STANDS_MS = 4_000

const ADDRESSES = [
  '/request',
  '/request/bench-1',
  '/report/device-1?requestId=bench-1',
  '/noteLocationArea/area-1?type=1&requestId=bench-1',
  '/noteLocationArea/add/bench-1',
  '/emergencyReport/bench-1',
  '/emergencyReport/add/bench-1',
  '/safetyMeasure/select/bench-1',
  '/safetyMeasure/add?requestId=bench-1&safetyType=1',
  '/customerLocationChangeRequest/add/bench-1',
  '/locationContactChangeRequest/add/bench-1/type1',
  '/quickReport/add/REPORT',
  '/outbox',
  '/settings',
  '/settings/figures',
  '/settings/support',
  '/error-logs',
]

/** Runs in the page before anything of it. */
function watchShifts() {
  window.shifted_ = 0
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifted_ += value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** @returns `[address, sum]` of each screen, the worst first, and the floor's: the static page */
export async function layoutShifts(context, device) {
  const shiftOf = async (path) => {
    const { page } = await slowPage(context, SLOW)
    await page.addInitScript(watchShifts)
    await page.goto(`${device.origin}${path}`)
    await page.waitForTimeout(STANDS_MS)
    const sum = await page.evaluate(() => window.shifted_)
    await page.close()
    return sum
  }
  const found = []
  for (const address of ADDRESSES)
    found.push([address, await shiftOf(address.replace('REPORT', device.entered.at(-1)))])
  return { floor: await shiftOf('/floor.html'), found: found.toSorted((a, b) => b[1] - a[1]) }
}
