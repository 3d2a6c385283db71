/** What Chromium has compiled of the app is taken at the next start, also where the service worker answers (decision 0116). */
import type { CDPSession } from '@playwright/test'
import { expect, readyForOffline, test } from './phone.ts'

interface TraceEvent {
  name: string
  args: { data?: { url?: string; consumedCacheSize?: number } }
}

/** @returns by chunk, as its name begins: how many bytes of compiled code were taken in the meantime; 0: it was compiled */
async function takenWhile(session: CDPSession, act: () => Promise<void>): Promise<Map<string, number>> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: ['v8', 'devtools.timeline', 'disabled-by-default-v8.compile'] }
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' })
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  const modules = events.flatMap(({ name, args: { data } }) => {
    const [, chunk] = /\/assets\/([\w.]+)-/.exec(data?.url ?? '') ?? []
    return name === 'v8.compileModule' && chunk ? [[chunk, data?.consumedCacheSize ?? 0] as const] : []
  })
  return new Map(modules)
}

test('[0116] from the second start under the service worker on, nothing of the first screen is compiled again', async ({
  phone,
}) => {
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  const kept = () => page.evaluate(() => localStorage.getItem('genba:start-files'))
  // this page came from the network
  expect(await kept()).toBeNull()
  await page.goto('/request')
  await expect.poll(kept).not.toBeNull()
  // Chromium writes down what it has compiled beside the start; nothing tells when it is done
  await expect(async () => {
    const session = await context.newCDPSession(page)
    const taken = await takenWhile(session, async () => {
      await page.goto('/request')
      await expect(page.getByRole('link', { name: /R26-/ }).first()).toBeVisible()
      await expect
        .poll(() => page.evaluate(() => performance.getEntriesByName('app:operable').length))
        .toBe(1)
    })
    await session.detach()
    for (const chunk of ['first', 'routes', 'list']) expect(taken.get(chunk), chunk).toBeGreaterThan(10_000)
  }).toPass({ timeout: 20_000 })
})
