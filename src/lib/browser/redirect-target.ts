/** Where a login leads (spec 2): only ever to a screen of this app. */

const HOME = '/request'

/** Screens that nobody wants to come back to. */
const NO_TARGETS: readonly string[] = [
  '/',
  '/login',
  '/logout',
  '/not-found',
  '/forbidden',
  '/internal-server-error',
]

/** Any origin serves: it only has to come back unchanged. */
const BASE = 'https://here.invalid'

const MAX_NESTING = 5

/**
 * The safe target of a `redirect` parameter. A redirect nested inside it is unwrapped.
 * @returns path with query and fragment; 依頼検索 for what is missing, foreign or no place to return to
 */
export function redirectTarget(redirect: string | undefined): string {
  return unwrapped(redirect, MAX_NESTING) ?? HOME
}

function unwrapped(target: string | undefined, depth: number): string | null {
  const url = depth > 0 && target ? ownUrl(target) : null
  if (!url) return null
  const nested = url.searchParams.get('redirect')
  if (nested !== null) return unwrapped(nested, depth - 1)
  const path = decoded(url.pathname)?.replace(/\/+$/, '')
  return path === undefined || NO_TARGETS.includes(path || '/')
    ? null
    : `${url.pathname}${url.search}${url.hash}`
}

/**
 * A path as the router reads it: letters may be written as `%6c`, also twice over, and case says nothing.
 * @returns undefined for one that cannot be decoded, or that hides a slash
 */
function decoded(path: string): string | undefined {
  let text = path
  for (let depth = 0; depth < MAX_NESTING && text.includes('%'); depth++) {
    if (/%(?:2f|5c|0)/i.test(text)) return undefined
    try {
      text = decodeURIComponent(text)
    } catch {
      return undefined
    }
  }
  return text.includes('%') ? undefined : text.toLowerCase()
}

/** A path that begins with a single slash and stays on this origin, whatever a browser makes of it. */
function ownUrl(target: string): URL | null {
  if (!target.startsWith('/') || /^\/[/\\]/.test(target) || /[\\\t\n\r]/.test(target)) return null
  const url = new URL(target, BASE)
  return url.origin === BASE && !url.pathname.startsWith('//') ? url : null
}
