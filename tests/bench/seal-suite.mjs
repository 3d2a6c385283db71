/**
 * What sealing costs a person who waits for it (decisions/encryption): the password. All other suites measure a device
 * under a key.
 */
import { openDevice, slowPage } from './device.mjs'
import { under } from './report.mjs'

/** More than any run saves. */
const ENTERED = 32

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
  await page.evaluate(setLock)
  await page.goto(`${origin}/outbox`)
  await page.getByRole('heading', { name: 'ロック中' }).waitFor()
  await page.getByLabel('パスワード').fill(PASSWORD)
  const floor = await page.evaluate(derived, [PASSWORD, ROUNDS])
  const app = await page.evaluate(pressed, ['開く', '送信状況'])
  await page.close()
  return { floor, app }
}

/** Runs in the page: a lock is set, so a page that is loaded anew asks. */
async function setLock() {
  const opening = indexedDB.open('genba-device')
  const db = await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result)
  })
  const writing = db.transaction('values', 'readwrite')
  writing.objectStore('values').put('15', 'device:lock')
  await new Promise((resolve) => {
    writing.oncomplete = resolve
  })
  db.close()
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
  const device = await openDevice(context, { folder, requests: large, entered: ENTERED })
  await context.setOffline(true)
  try {
    return [await unlocks(context, device, rounds)]
  } finally {
    await context.setOffline(false)
    device.close()
  }
}
