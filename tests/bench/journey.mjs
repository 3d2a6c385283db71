/**
 * A worker's day by finger and keys, without signal, on a slow phone; what the browser itself says of each interaction (Event
 * Timing): from the touch to the next paint.
 */
import { measured, slowPage, tap } from './device.mjs'

const SLOW = 4
const STANDS_MS = 6_000
/** The observer's own turn, and what comes after a tap. */
const AFTER_MS = 500
/** What the browser does not tell of took less. */
const LEAST_MS = 16

/** Runs in the page before anything of it. */
function watchInteractions() {
  window.interactions_ = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries()) {
      if (!interactionId) continue
      const known = window.interactions_.get(interactionId)
      const what = `${name} ${target?.textContent?.trim().slice(0, 20) ?? ''}`
      if (!known || known[0] < duration) window.interactions_.set(interactionId, [duration, what])
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
}

const told = (page) =>
  page.evaluate(() => ({ all: performance.interactionCount ?? 0, seen: [...window.interactions_.values()] }))

const row = (page, parts) => page.getByRole('link', { name: /R26-/ }).filter(parts).first()
const button = (page, name) => page.getByRole('button', { name, exact: true }).first()

async function act(page, locator) {
  await tap(page, locator)
  await page.waitForTimeout(AFTER_MS)
}

async function backToList(page) {
  await page.goBack()
  await row(page, {}).waitFor()
  await page.waitForTimeout(AFTER_MS)
}

/** Days, and what 検索条件 asks for. */
async function lookAround(page) {
  for (const day of ['明日', '今後7日間', '今日']) await act(page, button(page, day))
  await page.mouse.move(190, 500)
  for (let n = 0; n < 6; n++) await page.mouse.wheel(0, 700)
  await page.mouse.wheel(0, -9_000)
  await page.waitForTimeout(AFTER_MS)
  for (const n of [0, 1, 2]) {
    await act(page, page.getByRole('link', { name: /R26-/ }).nth(n))
    await page.getByRole('heading', { name: '依頼詳細' }).waitFor()
    await backToList(page)
  }
}

/** 登録 in the open sheet 入館登録, and its questions. @param press what taps something */
export async function answerEntry(page, press) {
  const popup = page.getByRole('dialog', { name: '入館登録' })
  await press(page, popup.getByRole('button', { name: '登録', exact: true }))
  for (let question = 0; question < 3; question++) {
    const yes = button(page, 'はい')
    await yes.waitFor()
    // a key that moves nothing would count until whatever is painted next
    await page.evaluate(() =>
      document.querySelectorAll('dialog, dialog *').forEach((each) => (each.scrollTop = each.scrollHeight)),
    )
    await page.waitForTimeout(AFTER_MS)
    await press(page, yes)
  }
  await popup.waitFor({ state: 'hidden' })
}

async function enter(page) {
  await act(page, row(page, { hasNotText: /入館 \d/ }))
  await act(page, button(page, '入館登録'))
  await answerEntry(page, act)
  await backToList(page)
}

async function leave(page) {
  await act(page, row(page, { hasText: /入館 \d/ }))
  await act(page, page.locator('footer').getByRole('link', { name: '退館報告' }))
  await act(page, page.getByRole('radio', { name: '作業未完了' }))
  await act(page, page.getByRole('radio', { name: '当日作業分完了' }))
  await page.getByLabel('その他報告内容').click()
  await page.keyboard.type('pump 1 waits', { delay: 120 })
  await act(page, button(page, '保存'))
  await page.waitForURL(/\/request/)
}

/** @returns the longest part of each interaction, milliseconds, and the slowest ones by name */
export async function journey(context, device) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchInteractions)
  await page.goto(`${device.origin}/request`)
  await measured(page, 'app:operable')
  await page.waitForTimeout(STANDS_MS)
  await lookAround(page)
  await enter(page)
  await leave(page)
  await act(page, page.getByRole('link', { name: /^送信状況|未送信/ }).first())
  const { all, seen } = await told(page)
  await page.close()
  const slowest = seen.toSorted((a, b) => b[0] - a[0]).slice(0, 5)
  return { durations: filled(seen, all), slowest }
}

const filled = (seen, all) => [
  ...seen.map(([duration]) => duration),
  ...Array.from({ length: Math.max(0, all - seen.length) }, () => LEAST_MS),
]

/** The same finger on a page that does nothing. */
export async function idleTaps(context, device) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchInteractions)
  await page.goto(`${device.origin}/floor.html`)
  await measured(page, 'floor:rows')
  for (let n = 0; n < 12; n++) await act(page, page.locator('article').nth(n))
  const { all, seen } = await told(page)
  await page.close()
  return filled(seen, Math.max(all, 12))
}
