/** The Content-Security-Policy of a built page (docs/decisions/0050-content-policy.md), as text. */
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

/**
 * What the page may load and do. Its inline scripts and styles are named by their hashes.
 * @param html the page as it is served
 * @param addresses what it calls: the CRM and the file store; none where `config.json` says them, which may be any: the
 *   host's header narrows it (decision 0072)
 */
export function contentPolicy(html: string, addresses: readonly string[]): string {
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...textsIn(html, 'script').map(hashOf)],
    'style-src': ["'self'", ...textsIn(html, 'style').map(hashOf)],
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
    'trusted-types': ['default'],
  }
  return Object.entries(rules)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}

const META = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/

/** The page with its policy before anything that the policy is about. */
export const withPolicy = (html: string, addresses: readonly string[]): string =>
  html.replace(
    /<meta charset="utf-8"\s*\/?>/i,
    (charset) =>
      `${charset}
    <meta http-equiv="Content-Security-Policy" content="${contentPolicy(html, addresses)}" />
    <meta name="referrer" content="no-referrer" />`,
  )

/**
 * What a host sends with every file.
 * @param html the built page, with its policy
 * @throws where it has none
 */
export function headersFor(html: string): Record<string, string> {
  const policy = META.exec(html)?.[1]
  if (policy === undefined) throw new Error('index.html has no Content-Security-Policy')
  return {
    // a <meta> cannot say who may frame the page
    'Content-Security-Policy': `${policy}; frame-ancestors 'self'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy':
      'camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), serial=(), hid=(), midi=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** The same for nginx, to be included where headers are set: errors, too, carry them. */
export const nginxHeaders = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `add_header ${name} "${value}" always;\n`)
    .join('')

/** The same for Caddy, as a snippet. */
export const caddyHeaders = (headers: Record<string, string>): string =>
  [
    '(genba_headers) {',
    '\theader {',
    ...Object.entries(headers).map(([name, value]) => `\t\t${name} "${value}"`),
    // set last, also over what a server behind it has sent
    '\t\tdefer',
    '\t}',
    '}',
    '',
  ].join('\n')
