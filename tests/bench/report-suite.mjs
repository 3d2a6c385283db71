/**
 * 作業報告書 of forty photos of 3 megapixels, CPU 4 times slowed: how long it takes, how long the page stands still meanwhile,
 * when やめる is answered, and how large the file is. No browser slows the worker that makes the photos smaller.
 */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { openDevice, slowPage, tap } from './device.mjs'
import { drawnPhoto, filesWith, openFloor } from './photo-suite.mjs'
import { limited, within } from './report.mjs'
import { startBenchServer } from './server.mjs'

const SLOW = 4
const PHOTOS = 40
const AS_SENT = [2048, 1536]
const MAKING_MS = 6_000
const FRAME_MS = 100
const STOP_MS = 200
const FILE_MB = 10
/** Photos are being drawn by then. */
const UNDER_WAY = /^作成しています [1-9]/

const popupOf = (page) => page.getByRole('dialog', { name: '作業報告書' })

/** An 緊急報告 with the photos, saved on the device. @returns the address of its request */
async function savePhotos(page, { origin }, files) {
  await page.goto(`${origin}/request`)
  await page.getByRole('link', { name: /R26-/ }).first().click()
  await page.getByRole('heading', { name: '依頼詳細' }).waitFor()
  const address = page.url()
  await page.getByRole('button', { name: '作業報告書' }).click()
  await popupOf(page).getByRole('button', { name: 'この端末で使えるようにする' }).click()
  await popupOf(page).getByText('電波がなくても作成できます').waitFor()
  await popupOf(page).getByRole('button', { name: '閉じる' }).click()
  await page.getByRole('link', { name: '緊急報告', exact: true }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  for (const name of ['機器面', '冠水・水没']) await page.getByRole('checkbox', { name }).check()
  for (const name of ['当日', '連絡済']) await page.getByRole('radio', { name }).check()
  await page.getByLabel('緊急内容詳細').fill('2号機も過負荷で停止しました。')
  await page.getByLabel('写真を追加').setInputFiles(files)
  const stored = (count) => document.querySelectorAll('li button[aria-label$="を削除"]').length === count
  await page.waitForFunction(stored, files.length, { polling: 200, timeout: 300_000 })
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('heading', { name: '緊急報告一覧' }).waitFor()
  return address
}

/** Runs in the page: when the report is there, and the longest time between two frames until then. */
function watchMaking() {
  const found = { begin: 0, made: 0, frame: 0 }
  window.making_ = found
  let last = 0
  const next = (now) => {
    if (found.begin > 0 && found.made === 0) found.frame = Math.max(found.frame, now - last)
    last = now
    if (found.made === 0 && /作成しました（/.test(document.querySelector('dialog')?.textContent ?? ''))
      found.made = performance.now() - found.begin
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  document.addEventListener(
    'click',
    ({ target }) => {
      if (/^(もう一度)?作成$/.test(target.closest('button')?.textContent ?? ''))
        Object.assign(found, { begin: performance.now(), made: 0, frame: 0 })
    },
    { capture: true },
  )
}

/** Runs in the page: やめる is pressed. @returns the time until 作成 is there again */
async function stopped() {
  const named = (name) =>
    [...document.querySelectorAll('dialog button')].find((each) => each.textContent === name)
  const begin = performance.now()
  named('やめる').click()
  while (!named('作成')?.checkVisibility()) await new Promise(requestAnimationFrame)
  return performance.now() - begin
}

/** Stopped once, then made. */
async function makeOnce(context, address) {
  const { page } = await slowPage(context, SLOW)
  await page.goto(address)
  await page.getByRole('button', { name: '作業報告書' }).click()
  await popupOf(page).getByText(`写真 ${PHOTOS}枚`).waitFor()
  const make = popupOf(page).getByRole('button', { name: '作成', exact: true })
  await tap(page, make)
  await popupOf(page).getByText(UNDER_WAY).waitFor()
  const stop = await page.evaluate(stopped)
  await page.evaluate(watchMaking)
  await tap(page, make)
  await page.waitForFunction(() => window.making_.made > 0, null, { polling: 50, timeout: 120_000 })
  const { made, frame } = await page.evaluate(() => window.making_)
  // the page's policy lets no script read a blob: what the popup says counts
  const said = (await popupOf(page).getByText('作成しました（').textContent()) ?? ''
  const size = Number(/([\d.]+) ?MB/.exec(said)?.[1]) * 1_000_000
  await page.close()
  return { stop, made, frame, size }
}

export async function reportSuite(context, folder, { rounds }) {
  const device = await openDevice(context, { folder, requests: 20, entered: 1 })
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, down: true })
  const seen = []
  try {
    const files = filesWith(await drawnPhoto(await openFloor(context, server), AS_SENT), PHOTOS)
    const page = await context.newPage()
    const address = await savePhotos(page, device, files)
    await page.close()
    rmSync(dirname(files[0]), { recursive: true })
    for (let round = 0; round < rounds; round++) seen.push(await makeOnce(context, address))
    console.log(`reports: ${JSON.stringify(seen)}`)
    return rowsOf(seen)
  } finally {
    device.close()
    server.close()
  }
}

function rowsOf(seen) {
  const what = `作業報告書 of ${PHOTOS} photos, CPU ${SLOW}× slowed`
  const row = (id, text, name, limit) =>
    limited({ id, what: `${what}: ${text}`, values: seen.map((each) => each[name]), limit })
  return [
    row('report-made', '作成 → 作成しました', 'made', MAKING_MS),
    row('report-frame', 'longest time between two frames meanwhile', 'frame', FRAME_MS),
    row('report-stop', 'やめる → 作成 again', 'stop', STOP_MS),
    within({
      id: 'report-size',
      what: `${what}: its size`,
      value: Math.max(...seen.map(({ size }) => size)) / 1_000_000,
      limit: FILE_MB,
      unit: 'MB',
    }),
  ]
}
