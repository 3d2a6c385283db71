/**
 * A shift of eight hours in the page's own time: 40 visits are opened, 20 of them get a 現場メモ with three photos, every
 * second hour is without a signal. Measured: the page's heap at the end, the CPU beside the same shift in which nobody
 * touches the phone, and the calls to the CRM. The demo CRM answers.
 */
import { passTime } from './day-suite.mjs'
import { CRM_ENV, crmOf } from './visit-suite.mjs'
import { drawnPhoto, filesWith } from './photo-suite.mjs'
import { against, within } from './report.mjs'
import { startBenchServer } from './server.mjs'

const HOURS = Number(process.env.BENCH_SHIFT_HOURS ?? 8)
const VISITS_PER_HOUR = 5
const PHOTOS_PER_NOTE = 3
const MEGAPIXELS_3 = [2048, 1536]
const HOUR_MS = 3_600_000
const HEAP_MB = 30
const CPU_RATIO = 1.5
const CALLS = 600

const row = (page) => page.getByRole('link', { name: /R26-/ })

/** Counts the calls of a page to the CRM, and those without an answer yet. */
function countCalls(page) {
  const count = { calls: 0, open: 0 }
  const isCall = (request) => new URL(request.url()).pathname.startsWith(CRM_ENV.apiEndpoint)
  page.on('request', (request) => isCall(request) && ((count.calls += 1), (count.open += 1)))
  for (const end of ['requestfinished', 'requestfailed'])
    page.on(end, (request) => isCall(request) && (count.open -= 1))
  return count
}

async function visit(page, nth, photos) {
  const rows = await row(page).count()
  await row(page)
    .nth(nth % rows)
    .click()
  await page.getByRole('heading', { name: '依頼詳細' }).waitFor()
  if (nth % 2 === 0) await writeNote(page, photos)
  await page.evaluate(() => history.pushState(null, '', '/request'))
  await row(page).first().waitFor()
}

async function writeNote(page, photos) {
  const id = new URL(page.url()).pathname.split('/')[2]
  await page.evaluate((path) => history.pushState(null, '', path), `/noteLocationArea/add/${id}`)
  await page.getByLabel('メモ').fill('逆止弁の分解清掃を推奨します。')
  await page.getByLabel('写真を追加').setInputFiles(photos)
  const stored = (count) => document.querySelectorAll('li button[aria-label$="を削除"]').length === count
  await page.waitForFunction(stored, photos.length, { polling: 200 })
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByLabel('メモ').waitFor({ state: 'hidden' })
}

/** Megabytes of the page's heap without garbage, and CPU milliseconds of its process. */
async function measuresOf(session) {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const value = (wanted) => metrics.find(({ name }) => name === wanted).value
  return { heap: value('JSHeapUsedSize') / 1_000_000, cpu: value('ProcessTime') * 1_000 }
}

/** @param photos of a note; none: nobody touches the phone @returns what the shift took */
async function shift(context, origin, photos) {
  const page = await context.newPage()
  const count = countCalls(page)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.clock.install()
  await page.goto(`${origin}/request`)
  await row(page).first().waitFor()
  await passTime(page, { count }, 300_000)
  const before = { ...(await measuresOf(session)), calls: count.calls }
  for (let nth = 0; nth < HOURS * VISITS_PER_HOUR; nth++) {
    if (nth % VISITS_PER_HOUR === 0) await context.setOffline((nth / VISITS_PER_HOUR) % 2 === 1)
    if (photos) await visit(page, nth, photos)
    await passTime(page, { count }, HOUR_MS / VISITS_PER_HOUR)
  }
  await context.setOffline(false)
  await passTime(page, { count }, 300_000)
  const after = await measuresOf(session)
  const unsent = await page.getByText(/^未送信 \d+件/).count()
  await page.close()
  if (unsent > 0) throw new Error('the shift ended with unsent changes')
  return { heap: after.heap - before.heap, cpu: after.cpu - before.cpu, calls: count.calls - before.calls }
}

async function signIn(context, origin) {
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('ユーザー名').fill('demo6')
  await page.getByLabel('パスワード', { exact: true }).fill('password')
  await page.getByRole('button', { name: 'ログイン', exact: true }).click()
  await page.getByText('オフラインで使えます').first().waitFor()
  await page.close()
}

export async function shiftSuite(context, folder, { runnerImport }) {
  const crm = await crmOf(runnerImport)
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, crm })
  const origin = `http://localhost:${server.port}`
  try {
    const drawing = await context.newPage()
    await drawing.goto(`${origin}/photo.html`)
    const photos = filesWith(await drawnPhoto(drawing, MEGAPIXELS_3), PHOTOS_PER_NOTE)
    await drawing.close()
    await signIn(context, origin)
    const idle = await shift(context, origin, null)
    const worked = await shift(context, origin, photos)
    console.log(`idle and worked: ${JSON.stringify([idle, worked])}`)
    return rowsOf(idle, worked)
  } finally {
    server.close()
  }
}

function rowsOf(idle, worked) {
  const what = `a shift of ${HOURS} hours, ${HOURS * VISITS_PER_HOUR} visits, offline half of it`
  return [
    within({
      id: 'shift-heap',
      what: `${what}: heap at the end`,
      value: worked.heap,
      limit: HEAP_MB,
      unit: 'MB',
    }),
    against({
      id: 'shift-cpu',
      what: 'CPU of it (floor: the same shift, nobody touches the phone)',
      floor: [idle.cpu],
      app: [worked.cpu],
      target: CPU_RATIO,
    }),
    within({
      id: 'shift-calls',
      what: 'calls to the CRM in it',
      value: worked.calls,
      limit: CALLS,
      unit: 'calls',
    }),
  ]
}
