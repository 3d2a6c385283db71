import type { Page } from '@playwright/test'
import { busyTimers, startBusyTimers } from '../bench/timers.mjs'
import { expect, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** Less than the time limit of a call: an answer comes in real time. */
const STEP_MS = 10_000

/** Lets the pages' time pass, and waits for the answers of what they ask meanwhile. */
function passer(pages: readonly Page[]): (ms: number) => Promise<void> {
  const open = new Set<object>()
  for (const page of pages) {
    page.on('request', (request) => open.add(request))
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
  }
  return async (ms) => {
    for (let at = 0; at < ms; at += STEP_MS) {
      await pages[0]?.clock.runFor(STEP_MS)
      await expect.poll(() => open.size).toBe(0)
    }
  }
}

test('[decisions/speed] while nothing waits no timer goes off more often than every half minute: alone, with a second tab, and hidden', async ({
  phone,
}) => {
  const { page, context } = phone
  await phone.signIn()
  await readyForOffline(page)
  await startBusyTimers(page)
  const second = await context.newPage()
  const pass = passer([page, second])
  for (const tab of [page, second]) {
    await tab.goto('/request')
    await expect(tab.getByRole('link', { name: /R26-/ }).first()).toBeVisible()
  }
  expect(await busyTimers([page, second], pass), 'in sight').toEqual([[], []])
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(await busyTimers([page], pass), 'hidden').toEqual([[]])
})
