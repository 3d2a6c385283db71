/** A CRM that knows no measure: 100,000 rows in one answer, texts of 10 MB, a value 5,000 levels deep. */
import { detailOfRow, requestRows } from './rows.mjs'
import { startBenchServer } from './server.mjs'

const ROWS = 100_000
const TEXT = 10_000_000
const DEEP = '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)
/** As long as a text is taken, and as many rows as are: what is left to store and to draw is the most that can be. */
const [WIDE_ROWS, WIDE_NOTES] = [240, 1_000]
const PARAGRAPH = '防災センターで鍵を受け取ってから入館してください。台車は搬入口Bから。'

const repeated = (characters) =>
  PARAGRAPH.repeat(Math.ceil(characters / PARAGRAPH.length)).slice(0, characters)

/** @param today `2026-11-20` */
function slimRows(today) {
  const row = (i) =>
    `{"id":"many-${i}","requestCode":"R26-${i}","workingDate":"${today}","ttsOrder":{"locationArea":{"id":"a","name":"現場${i}"}}}`
  return `[${Array.from({ length: ROWS }, (_, i) => row(i)).join(',')}]`
}

/** Rows of today, each with texts as long as they are taken. */
function wideRows(now, today) {
  const long = repeated(4_900)
  return requestRows(WIDE_ROWS, now).map((row) => ({
    ...row,
    workingDate: today,
    situation: long,
    messageTts: long,
    ttsOrder: { ...row.ttsOrder, parkingMethod: long, inMethod: long },
  }))
}

/** @param options.search `many`: more rows than are taken, `wide`: rows whose texts are as long as they are taken */
export function startHugeServer({ folder, search }) {
  const now = Date.now()
  const today = new Date(now + 9 * 3_600_000).toISOString().slice(0, 10)
  const rows = wideRows(now, today)
  const window = search === 'many' ? slimRows(today) : JSON.stringify(rows)
  const text = repeated(TEXT)
  const single = (id) => {
    const row = rows.find((each) => each.id === id) ?? { ...rows[0], id }
    const detail = JSON.stringify({ ...row, ...detailOfRow(0), situation: text })
    return `${detail.slice(0, -1)},"extra":${DEEP}}`
  }
  const note = (i) => ({
    id: `note-${i}`,
    locationAreaId: 'area-0',
    type: '2',
    openFlag: '1',
    note: repeated(4_900),
    createdAt: '2026-10-02T09:31:00+09:00',
    name: `現場メモ_${i}`,
    loginUserId: 'other',
  })
  const notes = JSON.stringify(Array.from({ length: WIDE_NOTES }, (_, i) => note(i)))
  const bodyOf = (pathname) => {
    const [resource, rest] = pathname.split('/spa/')[1]?.split('/') ?? []
    if (resource === 'request') return rest === 'search' ? window : single(rest)
    return resource === 'noteLocationArea' ? notes : '[]'
  }
  function answer(_, response, { pathname }) {
    const body = bodyOf(pathname)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  return startBenchServer({ folder, rows: [], latencyMs: 0, answer })
}
