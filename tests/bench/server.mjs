/** A fast stand-in for the CRM, for measuring: pages of requests, entries, and the bench page itself. */
import { createServer } from 'node:http'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}
/**
 * @param options.folder the built bench page
 * @param options.latencyMs added to every answer of the CRM
 * @param options.answer answers the CRM's calls instead
 * @param options.compressed files go as the build has compressed them, as a host sends them
 * @param options.crm a middleware that answers what is the CRM's
 * @param options.config of the environment; without it `config.json` changes nothing of the build
 * @param options.down the CRM cannot be reached: what is on the device stays as it is
 */
export function startBenchServer({
  folder,
  rows,
  latencyMs,
  down = false,
  compressed = false,
  answer,
  crm,
  config = {},
}) {
  const json = (response, body, headers = {}) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  const answers = async (request, response) => {
    const url = new URL(request.url, 'http://localhost')
    if (url.pathname === '/config.json') return json(response, config)
    if (!url.pathname.startsWith('/api/')) return file(url.pathname, { folder, compressed }, response)
    for await (const _ of request);
    if (answer) return answer(request, response, url)
    if (down) return response.writeHead(503).end()
    await sleep(latencyMs)
    if (url.pathname.endsWith('/request/search')) {
      const offset = Number(url.searchParams.get('offset')) - 1
      const limit = Number(url.searchParams.get('limit'))
      const all = url.pathname.includes('/empty-rest/') ? [] : rows
      return json(response, all.slice(offset, offset + limit), { 'x-total-count': String(all.length) })
    }
    if (request.method === 'POST') return json(response, { id: crypto.randomUUID() })
    response.writeHead(404).end()
  }
  const respond = (request, response) =>
    void answers(request, response).catch(() => response.writeHead(500).end())
  const server = createServer((request, response) =>
    crm ? crm(request, response, () => respond(request, response)) : respond(request, response),
  )
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => resolve({ port: server.address().port, close: () => server.close() }))
  })
}

async function file(pathname, { folder, compressed }, response) {
  // a path without an extension is a screen of the app
  const name = /\.\w+$/.test(pathname) ? normalize(pathname) : '/index.html'
  const path = join(folder, name)
  const packed = compressed && existsSync(`${path}.br`)
  const body = await readFile(packed ? `${path}.br` : path)
  response.writeHead(200, {
    'content-type': `${TYPES[name.slice(name.lastIndexOf('.'))] ?? 'text/plain'}; charset=utf-8`,
    ...(packed && { 'content-encoding': 'br' }),
    // as on a host (deploy/): what has a hash in its name is kept, and asked for once
    'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  response.end(body)
}
