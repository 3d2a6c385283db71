/**
 * Puts the app's worker on the phone before the app does it itself, which waits for its first list (decisions/speed).
 */
import type { Page } from '@playwright/test'

/**
 * Looks for a new version, from a page of this origin without a policy: the app's own page takes no address of a test.
 * @returns the state in which its worker ends: `installed`, `activated`, `redundant`
 */
export async function install(page: Page): Promise<string> {
  const bare = await page.context().newPage()
  // the worker leaves this address to the host
  await bare.route('**/healthz', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await bare.goto(new URL('/healthz', page.url()).href)
  const state = await bare.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/sw.js')
    if (!registration.installing) await registration.update().catch(() => undefined)
    const worker = registration.installing ?? registration.waiting ?? registration.active
    if (!worker) return 'none'
    return new Promise<string>((resolve) => {
      const look = () => worker.state !== 'installing' && resolve(worker.state)
      worker.addEventListener('statechange', look)
      look()
    })
  })
  await bare.close()
  return state
}

/** Until the app itself is on the phone. */
export async function putOn(page: Page): Promise<void> {
  await install(page)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
}
