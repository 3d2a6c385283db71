/** The Content-Security-Policy of a built page (docs/decisions/hosting.md), as text. */
import { createHash } from 'node:crypto'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The texts of the elements that stand in the page: a script with `src` is no such one. */
const textsIn = (html: string, tag: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => text,
  )

/** `'self'` is not said again; an address without a host is on this one. */
const originOf = (address: string) => {
  const { origin } = new URL(address, 'https://here.invalid')
  return origin === 'https://here.invalid' ? [] : [origin]
}

// WebKit allows nothing where the scheme is left out
const anyHost = (path: string) => [`http://*:*${path}`, `https://*:*${path}`]

/**
 * What the page may load and do, as two policies that both hold. The first names this origin. The second names folders: the
 * CRM and the file store answer on this origin, too, and nothing of theirs is a script or a worker (decisions/hosting).
 * One policy cannot say both, for the build does not know the host and a path needs one.
 * @param html the page as it is served
 * @param addresses what it calls: the CRM and the file store; none where `config.json` says them, which may be any: the
 *   host's header narrows it (decisions/hosting)
 */
export function contentPolicies(html: string, addresses: readonly string[]): [string, string] {
  const ownTexts = textsIn(html, 'script').map(hashOf)
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...ownTexts],
    // all sheets are in the page, or made by scripts
    'style-src': textsIn(html, 'style').map(hashOf),
    'img-src': ["'self'", 'blob:', 'data:'],
    'connect-src': [
      "'self'",
      ...(addresses.length === 0 ? ['https:'] : new Set(addresses.flatMap(originOf))),
    ],
    'worker-src': ["'self'"],
    // the app itself, without a screen (src/app/other-crms)
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

/** The page with its policy before anything that the policy is about. */
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
 * What a host sends with every file.
 * @param html the built page, with its policy
 * @throws where it has none
 */
export function headersFor(html: string): Record<string, string> {
  const [policy, folders] = [...html.matchAll(META)].map(([, text = '']) => text)
  if (policy === undefined || folders === undefined)
    throw new Error('index.html has no Content-Security-Policy')
  return {
    // a <meta> cannot say who may frame the page
    'Content-Security-Policy': `${policy}; frame-ancestors 'self', ${folders}`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy':
      'camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), serial=(), hid=(), midi=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** How the address of the reader of codes begins (src/features/scan/code-worker.ts). */
export const CODE_READER = '/assets/code-worker-'

/**
 * What a host sends with the reader of codes instead: it may compile WebAssembly and load nothing, not even from this
 * origin. Every other script of the app may not (decisions/camera).
 * @param headers what is sent with every other file
 */
export const headersOfCodeReader = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'Content-Security-Policy': "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'",
})

/**
 * What a host sends with every answer of the CRM, the file store and the collector: the app reads them by `fetch`, and to
 * nobody else are they a document, a script or anything of this origin (decisions/hosting).
 */
export const FOREIGN_HEADERS: Record<string, string> = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Content-Disposition': 'attachment',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The only headers of theirs that a host passes on: all others are dropped. */
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

/** The same for nginx, to be included where headers are set: errors, too, carry them. */
export const nginxHeaders = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `add_header ${name} "${value}" always;\n`)
    .join('')

/** The same for Caddy, as a snippet. */
export const caddyHeaders = (name: string, headers: Record<string, string>): string =>
  [
    `(${name}) {`,
    '\theader {',
    ...Object.entries(headers).map(([name, value]) => `\t\t${name} "${value}"`),
    // set last, also over what a server behind it has sent
    '\t\tdefer',
    '\t}',
    '}',
    '',
  ].join('\n')
