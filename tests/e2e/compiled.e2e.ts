/** Chromium reuses the code that it compiled at an earlier start, although the service worker answers (decisions/speed). */
import type { CDPSession } from '@playwright/test'
import { expect, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'SLOW: a trace of several starts')

interface TraceEvent {
  name: string
  args: { data?: { url?: string; consumedCacheSize?: number } }
}

/** @returns bytes of compiled code that were reused, by the first part of the chunk's name; 0 if the chunk was compiled */
async function reusedDuring(session: CDPSession, act: () => Promise<void>): Promise<Map<string, number>> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: ['v8', 'devtools.timeline', 'disabled-by-default-v8.compile'] }
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' })
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  const modules = events.flatMap(({ name, args: { data } }) => {
    const [, chunk] = /\/assets\/(\w+)-/.exec(data?.url ?? '') ?? []
    return name === 'v8.compileModule' && chunk ? [[chunk, data?.consumedCacheSize ?? 0] as const] : []
  })
  return new Map(modules)
}

test('[decisions/speed] a later start under the service worker compiles none of the first chunks again', async ({
  phone,
}) => {
  await phone.signIn()
  const { page, context } = phone
  await readyForOffline(page)
  // Chromium writes its code cache some time after a start, and no event says when.
  await expect(async () => {
    const session = await context.newCDPSession(page)
    const reused = await reusedDuring(session, async () => {
      await page.goto('/request')
      await expect(page.getByRole('link', { name: /R26-/ }).first()).toBeVisible()
    })
    await session.detach()
    for (const chunk of ['react', 'shared', 'database'])
      expect(reused.get(chunk), chunk).toBeGreaterThan(10_000)
  }).toPass({ timeout: 40_000, intervals: [4_000] })
})
