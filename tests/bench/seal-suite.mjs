/**
 * What the lock costs a person who waits for it (decisions/encryption): the password, and a start on a phone that is
 * locked as phones are by default. All other suites measure a device that has a key and no lock.
 */
import { coldStart } from './app.mjs'
import { openDevice, slowPage } from './device.mjs'
import { against, under } from './report.mjs'
import { usableAt, watchUsable } from './usable.mjs'

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

/** When the page can be used, in ms since the navigation. */
const LOCK = ['h1', 'ロック中']
const LIST = ['a', 'R26-']

/**
 * A cold start on a locked phone: to the lock screen, and from the press of 開く to a list that can be used. What the
 * password costs by itself is taken off, because a passkey or a faster hash changes it and the app does not.
 */
async function lockedStart(context, { origin }) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchUsable, { lock: LOCK, list: LIST })
  await page.goto(`${origin}/request`)
  const lock = await usableAt(page, 'lock')
  await page.getByLabel('パスワード').fill(PASSWORD)
  const password = await page.evaluate(derived, [PASSWORD, ROUNDS])
  const begin = await page.evaluate(() => {
    const now = performance.now()
    ;[...document.querySelectorAll('button')]
      .find(({ textContent }) => textContent?.trim() === '開く')
      .click()
    return now
  })
  const list = (await usableAt(page, 'list')) - begin - password
  await page.close()
  return { lock, list }
}

/** @returns the rows of a start on a locked phone; the devices have a lock already */
async function lockedStarts(context, { small, large }, rounds) {
  const times = { floor: [], lock: [], small: [], large: [] }
  for (let round = 0; round < rounds; round++) {
    times.floor.push(...(await coldStart(context, `${small.origin}/floor.html`, 'floor:rows')))
    const few = await lockedStart(context, small)
    times.lock.push(few.lock)
    times.small.push(few.list)
    times.large.push((await lockedStart(context, large)).list)
  }
  const row = (id, what, app, target) =>
    against({ id, what: `${what} (floor: 20 static cards)`, floor: times.floor, app, target })
  const unlock = 'unlock → the list can be used, without the password’s own time'
  return [
    row('locked-start', 'cold start offline → the lock screen', times.lock, 2.5),
    row('unlock-list', `${unlock}, 500 requests`, times.small, 2.5),
    row('unlock-list-many', `${unlock}, 10,000 requests`, times.large, 3),
  ]
}

async function locked(context, { origin }) {
  const page = await context.newPage()
  await page.goto(`${origin}/floor.html`)
  await page.evaluate(setLock)
  await page.close()
}

export async function sealSuite(context, folder, { small, large, rounds }) {
  const parts = { folder, entered: ENTERED }
  const devices = {
    small: await openDevice(context, { ...parts, requests: small }),
    large: await openDevice(context, { ...parts, requests: large }),
  }
  await context.setOffline(true)
  try {
    const password = await unlocks(context, devices.large, rounds)
    await locked(context, devices.small)
    return [password, ...(await lockedStarts(context, devices, rounds))]
  } finally {
    await context.setOffline(false)
    devices.small.close()
    devices.large.close()
  }
}
