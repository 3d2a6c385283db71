/** What sealing costs (decision 0075): the same build on two devices with the same requests, one of them under a key, in turns. */
import { coldStart, saves, searches, searchesAtOnce } from './app.mjs'
import { openDevice, slowPage } from './device.mjs'
import { against, under } from './report.mjs'

/** More than any run saves. */
const ENTERED = 32

const ROWS = [
  ['first-rows', 'cold start offline → first rows', 1.15],
  ['operable', 'cold start offline → the list can be used', 1.25],
  ['save', 'save of an exit report', 1.3],
  ['search', 'search: rows and count', 1.05],
  ['search-at-once', 'search as soon as the list stands there', null],
]

/** One round of all measures of one device. */
async function oneRound(context, device, times) {
  const [rows, operable] = await coldStart(
    context,
    `${device.origin}/request`,
    'app:first-rows',
    'app:operable',
  )
  times['first-rows'].push(rows)
  times['operable'].push(operable)
  times['save'].push(...(await saves(context, device, 1)).app)
  times['search'].push(...(await searches(context, device, 1, { withFloor: false })).app)
  times['search-at-once'].push(...(await searchesAtOnce(context, device)))
}

/** A phone of the field against this machine. */
const SLOW = 4
const UNLOCK_MS = 1_000
/** Of `seed-page.ts`. */
const PASSWORD = 'bench'
const ROUNDS = 600_000

/** From the press to the screen behind the lock, and what the password costs by itself: PBKDF2, in the same page. */
async function unlocked(context, { origin }) {
  const { page } = await slowPage(context, SLOW)
  await page.goto(`${origin}/floor.html`)
  // a lock is set, and nobody knows when the app was last in sight
  await page.evaluate(() => {
    localStorage.setItem('genba:lock', '15')
    localStorage.removeItem('genba:lock-seen')
  })
  await page.goto(`${origin}/outbox`)
  await page.getByRole('heading', { name: 'ロック中' }).waitFor()
  await page.getByLabel('パスワード').fill(PASSWORD)
  const floor = await page.evaluate(derived, [PASSWORD, ROUNDS])
  const app = await page.evaluate(pressed, ['開く', '送信状況'])
  await page.close()
  return { floor, app }
}

/** Runs in the page: a key of the password, as bare as WebCrypto makes it. */
async function derived([password, iterations]) {
  const begin = performance.now()
  const text = new TextEncoder().encode(password)
  const from = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveKey'])
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  await crypto.subtle.deriveKey(how, from, { name: 'AES-GCM', length: 256 }, false, ['decrypt'])
  return performance.now() - begin
}

/** Runs in the page: until the frame with this heading. */
async function pressed([button, heading]) {
  const named = (selector, name) =>
    [...document.querySelectorAll(selector)].find(({ textContent }) => textContent?.trim() === name)
  const begin = performance.now()
  named('button', button).click()
  while (!named('h1', heading)) await new Promise(requestAnimationFrame)
  return performance.now() - begin
}

/** @returns the row of it; the device has a lock from then on */
async function unlocks(context, device, rounds) {
  const times = { floor: [], app: [] }
  for (let round = 0; round < rounds; round++) {
    const { floor, app } = await unlocked(context, device)
    times.floor.push(floor)
    times.app.push(app)
  }
  const what = 'unlock by the password → 送信状況, CPU 4 × slower (floor: bare PBKDF2 in the same page)'
  return under({ id: 'seal-unlock', what, ...times, limit: UNLOCK_MS })
}

export async function sealSuite(context, folder, { large, rounds }) {
  const parts = { folder, requests: large, entered: ENTERED }
  const devices = [await openDevice(context, parts), await openDevice(context, { ...parts, isSealed: true })]
  const empty = () => Object.fromEntries(ROWS.map(([id]) => [id, []]))
  const [clear, sealed] = [empty(), empty()]
  let unlock
  await context.setOffline(true)
  try {
    for (let round = 0; round < rounds; round++) {
      await oneRound(context, devices[0], clear)
      await oneRound(context, devices[1], sealed)
    }
    unlock = await unlocks(context, devices[1], rounds)
  } finally {
    await context.setOffline(false)
    for (const device of devices) device.close()
  }
  const rows = ROWS.map(([id, what, target]) =>
    against({
      id: `seal-${id}`,
      what: `${what}, ${large} requests under a key (floor: the same in clear)`,
      floor: clear[id],
      app: sealed[id],
      target,
    }),
  )
  return [...rows, unlock]
}
