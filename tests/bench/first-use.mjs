/**
 * From the tap to the next paint, as the browser itself counts it (Event Timing): the first 入館登録, 退館報告 and 保存 since the
 * app was opened, and for each its floor, the second one.
 */
import { measured, slowPage, tap } from './device.mjs'
import { answerEntry } from './journey.mjs'

/** The code of the screens has been fetched ahead, and the sync has begun. */
const STANDS_MS = 6_000
/** Frames of a slow phone, and the observer's own turn. */
const TOLD_MS = 600

const row = (page, parts) => page.getByRole('link', { name: /R26-/ }).filter(parts).first()

/** Milliseconds from a finger's lift, or its touch, to the paint that follows, whichever was longer. */
async function tapToPaint(page, locator) {
  await page.evaluate(() => (window.taps_ = []))
  await tap(page, locator)
  await page.waitForTimeout(TOLD_MS)
  return page.evaluate(() => Math.max(0, ...window.taps_))
}

const watchTaps = () => {
  window.taps_ = []
  const note = (list) =>
    window.taps_.push(
      ...list.getEntries().flatMap(({ interactionId, duration }) => (interactionId ? [duration] : [])),
    )
  new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16, buffered: true })
}

/** @returns times of one entry sheet, one exit form and one save, of a visit that nobody has entered */
async function oneOfEach(page) {
  const free = row(page, { hasNotText: /入館 \d/ })
  await tap(page, free)
  const enter = page.getByRole('button', { name: '入館登録' })
  await enter.waitFor()
  await page.waitForTimeout(TOLD_MS)
  const entry = await tapToPaint(page, enter)
  await answerEntry(page, tap)
  const leave = page.locator('footer').getByRole('link', { name: '退館報告' })
  await leave.waitFor()
  await page.waitForTimeout(TOLD_MS)
  const exit = await tapToPaint(page, leave)
  await page.getByRole('radio', { name: '作業未完了' }).check()
  await page.getByRole('radio', { name: '当日作業分完了' }).check()
  const save = await tapToPaint(page, page.getByRole('button', { name: '保存' }))
  await page.waitForURL(/\/request/)
  return { entry, exit, save }
}

/** @param rate how many times slower than this machine */
export async function firstUses(context, device, rounds, rate) {
  const times = { entry: { app: [], floor: [] }, exit: { app: [], floor: [] }, save: { app: [], floor: [] } }
  for (let round = 0; round < rounds; round++) {
    const { page } = await slowPage(context, rate)
    await page.addInitScript(watchTaps)
    await page.goto(`${device.origin}/request`)
    await measured(page, 'app:operable')
    await page.waitForTimeout(STANDS_MS)
    for (const which of ['app', 'floor']) {
      const found = await oneOfEach(page)
      for (const [what, time] of Object.entries(found)) times[what][which].push(time)
      // the app goes on: a reload would be another start
      await page.evaluate(() => history.pushState(null, '', '/request'))
      await row(page, {}).waitFor()
    }
    await page.close()
  }
  return times
}
