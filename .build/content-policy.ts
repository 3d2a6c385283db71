/** The Content-Security-Policy of the built page (docs/decisions/hosting.md). */
import { createHash } from 'node:crypto'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The texts of the inline scripts or styles. A script with `src` has none. */
const textsIn = (html: string, tag: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => text,
  )

/** The origin of an address; none if the address is on the page's own host, which `'self'` covers. */
const originOf = (address: string) => {
  const { origin } = new URL(address, 'https://here.invalid')
  return origin === 'https://here.invalid' ? [] : [origin]
}

// Both schemes are listed, because WebKit allows nothing without a scheme.
const anyHost = (path: string) => [`http://*:*${path}`, `https://*:*${path}`]

/**
 * Returns two policies, which must both allow a request. The first allows all files of this origin. The second allows
 * scripts and workers only in the app's own folders, because answers of the CRM and the file store may come from this
 * origin too and must not be scripts or workers (decisions/hosting).
 * @param html the page as served
 * @param addresses addresses of the CRM and the file store; empty if `config.json` names them. The page then allows any
 * address, and a header of the host restricts the addresses.
 */
export function contentPolicies(html: string, addresses: readonly string[]): [string, string] {
  const ownTexts = textsIn(html, 'script').map(hashOf)
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...ownTexts],
    // Only inline styles need hashes. All other style sheets are created by scripts, which `style-src` does not cover.
    'style-src': textsIn(html, 'style').map(hashOf),
    'img-src': ["'self'", 'blob:', 'data:'],
    'connect-src': [
      "'self'",
      ...(addresses.length === 0 ? ['https:'] : new Set(addresses.flatMap(originOf))),
    ],
    'worker-src': ["'self'"],
    // The app opens itself in frames that send for other CRMs (src/app/crms/several.ts).
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

/** Inserts the policies before everything in the page that they restrict. */
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
 * The headers that the host sends with every file.
 * @param html the built page with its policies
 * @throws if the page has no policies
 */
export function headersFor(html: string): Record<string, string> {
  const [policy, folders] = [...html.matchAll(META)].map(([, text = '']) => text)
  if (policy === undefined || folders === undefined)
    throw new Error('index.html has no Content-Security-Policy')
  return {
    // `frame-ancestors` works only in a header, not in a <meta> element.
    'Content-Security-Policy': `${policy}; frame-ancestors 'self', ${folders}`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy':
      'camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), serial=(), hid=(), midi=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** Beginning of the path of the code reader (src/features/scan/code-worker.ts). */
export const CODE_READER = '/assets/code-worker-'

/**
 * The headers that the host sends with the code reader. Only this script may compile WebAssembly, and it may load
 * nothing (decisions/camera).
 * @param headers the headers of other files
 */
export const headersOfCodeReader = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'Content-Security-Policy': "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'",
})

/**
 * Headers that the host sends with every answer of the CRM, the file store and the telemetry collector. The app reads
 * these answers with `fetch`; the browser must not use them as documents or scripts of this origin
 * (decisions/hosting).
 */
export const FOREIGN_HEADERS: Record<string, string> = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Content-Disposition': 'attachment',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Answer headers of the CRM, file store and telemetry collector that the host passes on. The host drops all others. */
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

/** The headers as an nginx file to include. With `always`, error answers have them too. */
export const nginxHeaders = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `add_header ${name} "${value}" always;\n`)
    .join('')

/** The headers as a Caddy snippet. */
export const caddyHeaders = (name: string, headers: Record<string, string>): string =>
  [
    `(${name}) {`,
    '\theader {',
    ...Object.entries(headers).map(([name, value]) => `\t\t${name} "${value}"`),
    // With `defer`, these headers replace those of a server behind Caddy.
    '\t\tdefer',
    '\t}',
    '}',
    '',
  ].join('\n')
