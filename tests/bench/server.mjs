/** A fast stand-in for the CRM, for measuring: pages of requests, entries, and the bench page itself. */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const DAY_MS = 86_400_000

/** Rows from yesterday on, as the CRM sends them in a search. */
export function requestRows(count, now) {
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(now + 9 * 3_600_000 + ((i % 15) - 1) * DAY_MS).toISOString().slice(0, 10)
    const at = (hour) => `${day}T${String(hour).padStart(2, '0')}:00:00+09:00`
    return {
      id: `bench-${i}`,
      requestCode: `R26-${String(i).padStart(6, '0')}`,
      workingDate: day,
      workingDateType: '1',
      workingStartTime: at(8 + (i % 9)),
      workingEndTime: at(9 + (i % 9)),
      situation: '排水ポンプ1号機が起動せず、満水警報が2回発報。2号機のみで運転中です。'.repeat(4),
      messageTts: '防災センターで鍵を受け取ってから入館してください。台車は搬入口Bから。'.repeat(4),
      inLocationContact: { name: '防災センター', tel1: '03-5550-0000' },
      outLocationContact: { name: '防災センター', tel1: '03-5550-0000' },
      safetyStatus: '1',
      safetyDirectionName: '地下ピット;酸欠',
      noteLocationAreaCount: 3,
      quickReport: null,
      ttsOrder: {
        orderFlag: String((i % 5) + 1),
        emergencyFlag: i % 20 === 0 ? '1' : null,
        parkingType: '1',
        parkingMethod: '搬入口B横の2番',
        inMethod: '防災センターで受付後、鍵を受け取る',
        locationArea: { id: `area-${i % 300}`, name: `ベイサイド東雲 ${i % 300}号棟 地下ピット` },
        customer: {
          name: 'ベイサイド東雲 管理組合',
          prefectureName: '東京都',
          city: '江東区',
          address1: '東雲1-9-14',
        },
        salesMearge: { name: '高橋 直人' },
      },
    }
  })
}

/**
 * @param options.folder the built bench page
 * @param options.latencyMs added to every answer of the CRM
 */
export function startBenchServer({ folder, rows, latencyMs }) {
  const json = (response, body, headers = {}) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  const answers = async (request, response) => {
    const url = new URL(request.url, 'http://localhost')
    if (!url.pathname.startsWith('/api/')) return file(url.pathname, folder, response)
    for await (const _ of request);
    await sleep(latencyMs)
    if (url.pathname.endsWith('/request/search')) {
      const offset = Number(url.searchParams.get('offset')) - 1
      const limit = Number(url.searchParams.get('limit'))
      const all = url.searchParams.get('none') ? [] : rows
      return json(response, all.slice(offset, offset + limit), { 'x-total-count': String(all.length) })
    }
    if (request.method === 'POST') return json(response, { id: crypto.randomUUID() })
    response.writeHead(404).end()
  }
  const server = createServer((request, response) => {
    answers(request, response).catch(() => response.writeHead(500).end())
  })
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => resolve({ port: server.address().port, close: () => server.close() }))
  })
}

async function file(pathname, folder, response) {
  const name = pathname === '/' ? '/index.html' : normalize(pathname)
  const body = await readFile(join(folder, name))
  response.writeHead(200, { 'content-type': TYPES[name.slice(name.lastIndexOf('.'))] ?? 'text/plain' })
  response.end(body)
}
