/**
 * A CRM that attacks the app it is behind: each answer carries every header that acts on an origin, and below `/evil/` lie
 * documents, scripts, workers, frames, styles and images that report where they run.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ACTING_HEADERS } from '../support/acting-headers.ts'

/** A header that nobody knows yet: only a list of what passes drops it. */
export const UNKNOWN_HEADER = 'x-planted-unknown'

export interface Hostile {
  /** The answers carry the headers. */
  isOn: boolean
  /** What ran in a browser, by its kind. */
  ran: string[]
  /** Paths below `/evil/` that were asked for. */
  reached: string[]
  /** @returns whether the call is answered */
  answer(call: IncomingMessage, response: ServerResponse): boolean
}

const code = (kind: string) => `fetch('/api/evil/ran/${kind}').catch(() => undefined)`
const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript'
const steals = (kind: string) => `<!doctype html><title>planted</title><script>${code(kind)}</script>
<script src="/api/evil/script"></script><script type="module" src="/api/evil/module"></script>
<link rel="stylesheet" href="/api/evil/style"><img src="/api/evil/svg"><iframe src="/api/evil/frame"></iframe>
<script>navigator.serviceWorker?.register('/api/evil/serviceworker', { scope: '/' })</script>`

/** Each kind of document, by its type and content. */
const DOCUMENTS: Readonly<Record<string, [type: string, body: string]>> = {
  page: [HTML, steals('page')],
  frame: [HTML, steals('frame')],
  xhtml: [
    'application/xhtml+xml',
    `<html xmlns="http://www.w3.org/1999/xhtml"><script>${code('xhtml')}</script></html>`,
  ],
  'page-of-another-type': ['application/json', steals('page-of-another-type')],
  script: [SCRIPT, code('script')],
  'script-of-another-type': ['application/json', code('script-of-another-type')],
  module: [SCRIPT, `${code('module')}; export default 1`],
  worker: [SCRIPT, code('worker')],
  serviceworker: [SCRIPT, code('serviceworker')],
  style: ['text/css', `body { background: url('/api/evil/ran/style') }`],
  svg: ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><script>${code('svg')}</script></svg>`],
  'style-sheet-of-xml': [
    'text/xml',
    `<?xml-stylesheet type="text/xsl" href="/api/evil/xslt"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${code('style-sheet-of-xml')}</script></html>`,
  ],
  'page-of-no-type': ['', steals('page-of-no-type')],
  'page-of-two-types': ['text/plain, text/html', steals('page-of-two-types')],
  'page-in-parts': [
    'multipart/x-mixed-replace; boundary=part',
    `--part\r\ncontent-type: text/html\r\n\r\n${steals('page-in-parts')}\r\n--part--`,
  ],
  'page-in-utf-7': ['text/html; charset=utf-7', `+ADw-script+AD4-${code('page-in-utf-7')}+ADw-/script+AD4-`],
  'image-with-a-page': ['image/png', `\u0089PNG\r\n\u001a\n${steals('image-with-a-page')}`],
}

const PAGE = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${UNKNOWN_HEADER}: second\r\nclear-site-data: "*"\r\ncontent-length: 7\r\n\r\nplanted`
/** What lies on the wire behind an interim answer, by its status: an answer of its own, or two. */
export const INTERIM: Readonly<Record<string, string>> = {
  103: `HTTP/1.1 103 Early Hints\r\nlink: </api/evil/style>; rel=preload\r\n\r\n${PAGE}`,
  '103-twice': `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${PAGE}`,
  '103-with-length': `HTTP/1.1 103 Early Hints\r\ncontent-length: 0\r\n\r\n${PAGE}${PAGE}`,
  101: `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: planted\r\n\r\n${PAGE}`,
  100: `HTTP/1.1 100 Continue\r\n\r\n${PAGE}`,
  199: `HTTP/1.1 199 Planted\r\n\r\n${PAGE}`,
}

export const KINDS = Object.keys(DOCUMENTS)
/** Where one leads, it leads to a page. */
export const REDIRECTS = [301, 302, 303, 307, 308].map((status) => `redirect/${status}`)

export function hostile(): Hostile {
  const plant = (response: ServerResponse) => {
    for (const [name, value] of Object.entries(ACTING_HEADERS)) response.setHeader(name, value)
    response.setHeader(UNKNOWN_HEADER, 'planted')
  }
  const it: Hostile = {
    isOn: false,
    ran: [],
    reached: [],
    answer(call, response) {
      if (it.isOn) plant(response)
      const [, kind = ''] = /\/evil\/(.*)/.exec(call.url ?? '') ?? []
      if (kind === '') return false
      it.reached.push(kind)
      if (kind.startsWith('ran/')) it.ran.push(kind.slice('ran/'.length))
      const interim = INTERIM[kind.replace('interim/', '')]
      // past Node's own writing of answers
      if (interim !== undefined) return Boolean(call.socket.end(interim))
      const [, status] = /^redirect\/(3\d\d)/.exec(kind) ?? []
      if (status) response.writeHead(Number(status), { location: '/api/evil/page' }).end()
      else {
        const [type, body] = DOCUMENTS[kind] ?? ['application/json', '{}']
        const headers = { ...(type && { 'content-type': type }), 'service-worker-allowed': '/' }
        // it may be taken from the browser's own cache, where no host refuses it
        response.writeHead(200, { ...headers, 'cache-control': 'max-age=3600' }).end(body)
      }
      return true
    },
  }
  return it
}
