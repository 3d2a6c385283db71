/**
 * What a person waits for, in Chromium on the production build, without signal and on a slow CPU: each measure in turns
 * with its floor, so that both see the same machine.
 */
import { measured, slowPage, tap } from './device.mjs'

/** A phone of the field against this machine. */
const SLOW = 4

/** @returns a time for each of the measures */
export async function coldStart(context, url, ...measures) {
  const { page } = await slowPage(context, SLOW)
  await page.goto(url)
  const times = []
  for (const measure of measures) times.push(await measured(page, measure))
  await page.close()
  return times
}

/** To the first rows, and until the list can be used: the app stands and has rows, whichever comes last. */
export async function coldList(context, { origin }) {
  const [rows, app] = await coldStart(context, `${origin}/request`, 'app:first-rows', 'app:operable')
  return { rows, operable: Math.max(rows, app) }
}

/** Cold starts: the floor's page, 500 requests, 10,000, in turns. */
export async function coldStarts(context, { small, large }, rounds) {
  const times = { floor: [], small: [], large: [], operable: [], operableMany: [] }
  for (let round = 0; round < rounds; round++) {
    const [floor] = await coldStart(context, `${small.origin}/floor.html`, 'floor:rows')
    const few = await coldList(context, small)
    const many = await coldList(context, large)
    times.floor.push(floor)
    times.small.push(few.rows)
    times.large.push(many.rows)
    times.operable.push(few.operable)
    times.operableMany.push(many.operable)
  }
  return times
}

/** The list with all its rows counted, drawn by the app itself, on a slow phone. */
async function listOnGlass(context, { origin }, rate) {
  const { page, session } = await slowPage(context, rate)
  await page.goto(`${origin}/request`)
  await measured(page, 'app:operable')
  await page
    .getByText(/^[\d,]+件/)
    .first()
    .waitFor()
  return { page, session }
}

/**
 * The same once the page has nothing more to do: since decisions/speed the list stands there before the database is
 * read.
 */
async function openList(context, device, rate = SLOW) {
  const { page, session } = await listOnGlass(context, device, rate)
  await page.evaluate(atRest, [REST_MS, REST_MOST_MS])
  return { page, session }
}

const REST_MS = 3_000
const REST_MOST_MS = 240_000

/** Runs in the page: no task took long for a while. @throws where it never rests */
const atRest = ([quietMs, mostMs]) =>
  new Promise((resolve, reject) => {
    const rest = () => {
      observer.disconnect()
      resolve()
    }
    let timer = setTimeout(rest, quietMs)
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(rest, quietMs)
    })
    observer.observe({ type: 'longtask' })
    setTimeout(() => reject(new Error('the page does not come to rest')), mostMs)
  })

const rangeButton = (page, name) => () => tap(page, page.getByRole('button', { name, exact: true }))

/** Two ranges of days by a tap as soon as the list stands there, while what a start reads is still under way. */
export async function searchesAtOnce(context, device) {
  const { page } = await listOnGlass(context, device, SLOW)
  const times = []
  for (const name of ['明日', '今後7日間'])
    times.push(await measured(page, 'app:search', rangeButton(page, name)))
  await page.close()
  return times
}

/** Filter and count over the raw documents (`seed-page.ts`), as fast as IndexedDB gives them. */
const rawSearch = (page, filter) =>
  page.evaluate(async ({ place, flags }) => {
    const opening = indexedDB.open('bench-floor')
    await new Promise((done) => opening.addEventListener('success', done))
    const begin = performance.now()
    const all = opening.result.transaction('docs').objectStore('docs').getAll()
    await new Promise((done) => all.addEventListener('success', done))
    const found = all.result.filter(
      ({ locationName, orderFlag }) => locationName.includes(place) && (!flags || flags.includes(orderFlag)),
    )
    const time = performance.now() - begin
    opening.result.close()
    return { time, count: found.length }
  }, filter)

/** Search over all there is: a range of days by a tap, then text and flags by 検索条件. */
export async function searches(context, device, rounds, { withFloor = true } = {}) {
  const { page, session } = await openList(context, device)
  const times = { floor: [], app: [] }
  const floor = async (filter) => {
    const { time } = await rawSearch(page, filter)
    // the app is not to clear away what the floor has read
    await session.send('HeapProfiler.collectGarbage')
    return time
  }
  const button = (name) => rangeButton(page, name)
  const bySheet = (place, flag) => async () => {
    const sheet = page.getByRole('dialog', { name: '検索条件' })
    await sheet.getByRole('textbox', { name: '作業場所' }).fill(place)
    await sheet.getByRole('checkbox', { name: flag }).click()
    await tap(page, sheet.getByRole('button', { name: '検索', exact: true }))
  }
  const open = () => page.getByRole('button', { expanded: false }).first().click()
  for (let round = 0; round < rounds; round++) {
    if (withFloor) times.floor.push(await floor({ place: '12', flags: '12' }))
    times.app.push(await measured(page, 'app:search', button('明日')))
    times.app.push(await measured(page, 'app:search', button('今後7日間')))
    await open()
    times.app.push(await measured(page, 'app:search', bySheet(String(12 + round), '修理')))
    if (withFloor) times.floor.push(await floor({ place: '12' }))
  }
  await page.close()
  return times
}

/** Tap on a row → view painted; the floor is the same view opened again, when all of it is in memory. */
export async function opens(context, device, rounds) {
  const { page } = await openList(context, device)
  const times = { floor: [], app: [] }
  const back = async () => {
    await page.goBack()
    await page.getByRole('link', { name: /R26-/ }).first().waitFor()
    await page.waitForTimeout(300)
  }
  for (let round = 0; round <= rounds; round++) {
    const row = page.getByRole('link', { name: /R26-/ }).nth(round % 6)
    if (round % 6 === 5) await page.mouse.wheel(0, 700)
    const first = await measured(page, 'app:open-request', () => tap(page, row))
    await back()
    const again = await measured(page, 'app:open-request', () => tap(page, row))
    await back()
    // the very first one loads what all share
    if (round === 0) continue
    times.app.push(first)
    times.floor.push(again)
  }
  await page.close()
  return times
}

/** The least that a save does: the record is read, checked against what was seen, and put, strict, in one transaction. */
const rawPut = (page, database) =>
  page.evaluate(async (prefix) => {
    const names = (await indexedDB.databases()).map(({ name }) => name)
    const kept = indexedDB.open(
      names.find((name) => name.includes(prefix) && name.endsWith('--quickReports')),
    )
    await new Promise((done) => kept.addEventListener('success', done))
    const all = kept.result.transaction('docs').objectStore('docs').getAll()
    await new Promise((done) => all.addEventListener('success', done))
    kept.result.close()
    const record = all.result.find(({ unsent }) => unsent === 'yes') ?? all.result[0]
    const opening = indexedDB.open('bench-floor-save')
    opening.addEventListener('upgradeneeded', () =>
      opening.result.createObjectStore('docs', { keyPath: 'key' }),
    )
    await new Promise((done) => opening.addEventListener('success', done))
    const change = (durability) => opening.result.transaction('docs', 'readwrite', { durability })
    const written = (transaction) => new Promise((done) => transaction.addEventListener('complete', done))
    const before = change('relaxed')
    before.objectStore('docs').put(record)
    await written(before)
    const seen = JSON.stringify(record)
    const begin = performance.now()
    const transaction = change('strict')
    const store = transaction.objectStore('docs')
    const there = store.get(record.key)
    there.addEventListener('success', () => {
      if (JSON.stringify(there.result) !== seen) throw new Error('another one')
      store.put({ ...there.result, unsent: 'yes' })
    })
    await written(transaction)
    const time = performance.now() - begin
    opening.result.close()
    return time
  }, database)

/** 退館報告, from the tap on 保存 until it is on disk. */
export async function saves(context, device, rounds) {
  const { page } = await slowPage(context, SLOW)
  const times = { floor: [], app: [] }
  for (let round = 0; round <= rounds; round++) {
    const report = device.entered.pop()
    await page.goto(`${device.origin}/quickReport/add/${report}`)
    await page.getByRole('radio', { name: '作業未完了' }).check()
    await page.getByRole('radio', { name: '当日作業分完了' }).check()
    await page.getByLabel('その他報告内容').fill('排水ポンプ1号機は部品待ちです。')
    const save = page.getByRole('button', { name: '保存' })
    // who fills in a form takes longer than the start goes on behind it
    await page.evaluate(atRest, [REST_MS, REST_MOST_MS])
    const time = await measured(page, 'app:save', () => tap(page, save))
    await page.waitForURL(/\/request/)
    if (round > 0) times.app.push(time)
    times.floor.push(await rawPut(page, device.database), await rawPut(page, device.database))
  }
  await page.close()
  return times
}

/** The longest frame while the list is scrolled through, at the machine's own speed. */
export async function longestFrame(context, device) {
  const { page } = await openList(context, device, 1)
  await page.evaluate(() => {
    window.frames_ = []
    let before = performance.now()
    const note = (now) => {
      window.frames_.push(now - before)
      before = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await page.mouse.move(190, 500)
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 900)
    await page.waitForTimeout(40)
  }
  const frames = await page.evaluate(() => window.frames_.slice(2))
  await page.close()
  return frames
}

const AT_REST_MS = 20_000

/** Bytes of JS heap in use with the list on the screen, once the app has looked through what is on the device. */
export async function heap(context, device) {
  const { page, session } = await openList(context, device, 1)
  await page.waitForTimeout(AT_REST_MS)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await page.close()
  return usedSize
}
