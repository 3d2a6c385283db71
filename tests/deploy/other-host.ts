/** A host of another kind, made by the rules of docs/operate.md; and ones that break one of them. */
import { existsSync, readFileSync } from 'node:fs'
import {
  createServer,
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { extname, join, resolve } from 'node:path'
import { hostile } from './hostile.ts'
import { listening, serveCrm } from './host.ts'

const root = resolve(import.meta.dirname, '../..')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

/** A rule that is broken, by the clause that finds it. */
export type Defect = 'M1' | 'M2' | 'M3' | 'M4' | 'M5' | 'M6' | 'M7'

/** The two parts of what the build says: headers, and names of headers. */
function said(file: string): { headers: Record<string, string>; names: string[] } {
  const [lines = '', names = ''] = readFileSync(join(root, 'dist-about', file), 'utf8').split('\n\n')
  const headers = lines.split('\n').flatMap((line) => {
    const [name = '', ...value] = line.split(': ')
    return name === '' ? [] : [[name.toLowerCase(), value.join(': ')] as const]
  })
  return { headers: Object.fromEntries(headers), names: names.split('\n').filter(Boolean) }
}

export async function serveOtherHost(defect?: Defect) {
  const attacks = hostile()
  attacks.isOn = true
  const crm = await serveCrm(attacks)
  const own: Record<string, string> = {
    ...said('headers.txt').headers,
    'strict-transport-security': 'max-age=31536000',
  }
  if (defect === 'M1') Reflect.deleteProperty(own, 'strict-transport-security')
  if (defect === 'M2') own['content-security-policy'] = own['content-security-policy']?.split(', ')[0] ?? ''
  const foreign = said('headers-foreign.txt')
  const passed = new Set(foreign.names.map((name) => name.toLowerCase()))

  function forward(call: IncomingMessage, answer: ServerResponse): void {
    const to = new URL(call.url ?? '', crm.url)
    const headers = { ...call.headers, host: to.host }
    if (defect === 'M7') Reflect.deleteProperty(headers, 'access_token')
    const asked = request(to, { method: call.method ?? 'GET', headers }, (come) => {
      const listed = Object.entries(come.headers).filter(([name]) => defect === 'M6' || passed.has(name))
      answer.writeHead(come.statusCode ?? 502, {
        ...(Object.fromEntries(listed) as OutgoingHttpHeaders),
        ...(defect === 'M5' ? {} : foreign.headers),
      })
      come.pipe(answer)
    })
    asked.on('error', () => answer.destroy())
    call.pipe(asked)
  }

  function file(path: string, answer: ServerResponse): void {
    const found = join(root, 'dist', path)
    const isFile = extname(path) !== '' || path.includes('/.')
    if (isFile && !existsSync(found) && defect !== 'M3') {
      answer.writeHead(404, { ...own, 'cache-control': 'no-store' }).end()
      return
    }
    const name = isFile && existsSync(found) ? found : join(root, 'dist/index.html')
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    answer
      .writeHead(200, { ...own, 'content-type': type, 'cache-control': 'no-cache' })
      .end(readFileSync(name))
  }

  const served = await listening(
    createServer((call, answer) => {
      const { pathname } = new URL(call.url ?? '/', 'http://host.invalid')
      if (!/^\/(?:api|doccloud)\//.test(pathname)) return file(pathname, answer)
      const destination = call.headers['sec-fetch-dest'] ?? 'empty'
      if (destination === 'empty' || defect === 'M4') return forward(call, answer)
      answer.writeHead(403, foreign.headers).end()
    }),
  )
  return { url: served.url, close: () => Promise.all([served.close(), crm.close()]) }
}
