/** A working day's CRM for the benches: requests of today with all that hangs on them, and ETags; it counts what passes. */
import { createHash } from 'node:crypto'
import { detailOfRow, requestRows } from './rows.mjs'
import { startBenchServer } from './server.mjs'

/** Of fifteen rows one is of today. */
const SPREAD = 15

const notesOf = (area) =>
  [1, 2, 3].map((n) => ({
    id: `note-${area}-${n}`,
    locationAreaId: area,
    type: '2',
    openFlag: '1',
    note: `ピットのふたは2枚とも重い（約40kg）。2人で開けてください。手前のふたは右側から持ち上げると外れやすいです。（${n}）`,
    createdAt: '2026-10-02T09:31:00+09:00',
    name: `現場メモ_${n}`,
    loginUserId: 'other',
  }))

/** @param requests how many there are today */
export async function startDayServer({ folder, requests }) {
  const now = Date.now()
  const today = new Date(now + 9 * 3_600_000).toISOString().slice(0, 10)
  const all = requestRows(requests * SPREAD, now)
  const rows = all.filter(({ workingDate }) => workingDate === today)
  const count = { calls: 0, open: 0, down: 0, bodies: 0 }

  function bodyOf({ pathname, searchParams }) {
    const [resource, ...rest] = pathname.split('/spa/')[1]?.split('/') ?? []
    if (resource === 'request' && rest[0] === 'search') {
      const offset = Number(searchParams.get('offset')) - 1
      return rows.slice(offset, offset + Number(searchParams.get('limit')))
    }
    if (resource === 'request') {
      const row = rows.find(({ id }) => id === rest[0])
      return row && { ...row, ...detailOfRow(all.indexOf(row)) }
    }
    return resource === 'noteLocationArea' ? notesOf(rest.at(-1)) : []
  }

  async function answer(request, response, url) {
    const { socket } = response
    const before = socket.bytesWritten
    count.calls += 1
    count.open += 1
    response.on('close', () => {
      count.open -= 1
      count.down += socket.bytesWritten - before
    })
    const body = bodyOf(url)
    const text = JSON.stringify(body)
    if (body === undefined) return response.writeHead(404).end()
    const etag = `"${createHash('sha1').update(text).digest('hex')}"`
    const total = url.pathname.endsWith('/search') ? { 'x-total-count': String(rows.length) } : {}
    const headers = { etag, 'cache-control': 'private, no-cache', ...total }
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, headers).end()
    count.bodies += Buffer.byteLength(text)
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text)
  }

  const server = await startBenchServer({ folder, rows, latencyMs: 0, answer })
  return { ...server, count }
}
