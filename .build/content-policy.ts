/** The Content-Security-Policy of a built page (docs/decisions/hosting.md), as text. */
import { createHash } from 'node:crypto'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Returns the texts of inline scripts or styles. A script with `src` has no text. */
const textsIn = (html: string, tag: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => text,
  )

/** Returns the origin of an address; none for an address on the page's own host, which `'self'` covers. */
const originOf = (address: string) => {
  const { origin } = new URL(address, 'https://here.invalid')
  return origin === 'https://here.invalid' ? [] : [origin]
}

// Without a scheme WebKit allows nothing.
const anyHost = (path: string) => [`http://*:*${path}`, `https://*:*${path}`]

/**
 * Returns two policies for the page, which must both allow a request. The first allows this origin. The second allows only
 * the app's own folders, because the CRM and the file store answer on this origin too, and none of their answers may be a
 * script or a worker (decisions/hosting). One policy cannot express both: a path needs a host, which the build does not know.
 * @param html the page as it is served
 * @param addresses of the CRM and the file store. Empty if `config.json` names them: the page then allows any address, and a
 *   header of the host restricts it (decisions/hosting)
 */
export function contentPolicies(html: string, addresses: readonly string[]): [string, string] {
  const ownTexts = textsIn(html, 'script').map(hashOf)
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...ownTexts],
    // All style sheets are in the page or made by scripts.
    'style-src': textsIn(html, 'style').map(hashOf),
    'img-src': ["'self'", 'blob:', 'data:'],
    'connect-src': [
      "'self'",
      ...(addresses.length === 0 ? ['https:'] : new Set(addresses.flatMap(originOf))),
    ],
    'worker-src': ["'self'"],
    // Frames of the app that send for other CRMs (src/app/crms/send-others.ts).
    'frame-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['genba-own-scripts'],
  }
  const folders = {
    'script-src': [...anyHost('/assets/'), ...ownTexts],
    'worker-src': [...anyHost('/assets/'), ...anyHost('/sw.js')],
    'manifest-src': anyHost('/manifest.webmanifest'),
  }
  return [policyOf(rules), policyOf(folders)]
}

const policyOf = (rules: Record<string, readonly string[]>) =>
  Object.entries(rules)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')

const META = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/g

/** Inserts the policies into the page, before everything that they restrict. */
export const withPolicy = (html: string, addresses: readonly string[]): string =>
  html.replace(
    /<meta charset="utf-8"\s*\/?>/i,
    (charset) =>
      `${charset}
    ${contentPolicies(html, addresses)
      .map((policy) => `<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
      .join('\n    ')}
    <meta name="referrer" content="no-referrer" />`,
  )

/**
 * Returns the headers that a host sends with every file.
 * @param html the built page with its policies
 * @throws if the page has no policies
 */
export function headersFor(html: string): Record<string, string> {
  const [policy, folders] = [...html.matchAll(META)].map(([, text = '']) => text)
  if (policy === undefined || folders === undefined)
    throw new Error('index.html has no Content-Security-Policy')
  return {
    // A <meta> element cannot contain `frame-ancestors`.
    'Content-Security-Policy': `${policy}; frame-ancestors 'self', ${folders}`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy':
      'camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), serial=(), hid=(), midi=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** Start of the address of the code reader (src/features/scan/code-worker.ts). */
export const CODE_READER = '/assets/code-worker-'

/**
 * Returns the headers that a host sends with the code reader: it may compile WebAssembly, which no other script may, and
 * load nothing, not even from this origin (decisions/camera).
 * @param headers of every other file
 */
export const headersOfCodeReader = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'Content-Security-Policy': "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'",
})

/**
 * Headers that a host sends with every answer of the CRM, the file store and the collector. The app reads these answers with
 * `fetch`; no browser may use them as a document, a script or another resource of this origin (decisions/hosting).
 */
export const FOREIGN_HEADERS: Record<string, string> = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Content-Disposition': 'attachment',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Headers of those answers that a host passes on. It drops all others. */
export const FOREIGN_PASSED: readonly string[] = [
  'Accept-Ranges',
  'Age',
  'Cache-Control',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'Date',
  'ETag',
  'Retry-After',
  'Vary',
  'x-total-count',
]

/** Formats headers for nginx, as a file to include. With `always`, error answers have them too. */
export const nginxHeaders = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `add_header ${name} "${value}" always;\n`)
    .join('')

/** Formats headers for Caddy, as a snippet. */
export const caddyHeaders = (name: string, headers: Record<string, string>): string =>
  [
    `(${name}) {`,
    '\theader {',
    ...Object.entries(headers).map(([name, value]) => `\t\t${name} "${value}"`),
    // With `defer` these headers replace those of a server behind Caddy.
    '\t\tdefer',
    '\t}',
    '}',
    '',
  ].join('\n')
