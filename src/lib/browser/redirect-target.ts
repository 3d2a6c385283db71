/** Decides which of the app's screens a login opens (spec 2). */

const HOME = '/request'

const NO_TARGETS: readonly string[] = [
  '/',
  '/login',
  '/logout',
  '/not-found',
  '/forbidden',
  '/internal-server-error',
]

const BASE = 'https://here.invalid'
const MAX_NESTING = 5

/** The safe target of `redirect`, also nested; 依頼検索 if it is missing, foreign or in `NO_TARGETS`. */
export const redirectTarget = (redirect: string | undefined): string =>
  unwrapped(redirect, MAX_NESTING) ?? HOME

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

/** Decodes a path as the router does; undefined if it cannot be decoded or hides a slash. */
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

/** Parses a target. Returns null unless it is a path that every browser resolves to this origin. */
function ownUrl(target: string): URL | null {
  if (!target.startsWith('/') || /^\/[/\\]/.test(target) || /[\\\t\n\r]/.test(target)) return null
  const url = new URL(target, BASE)
  return url.origin === BASE && !url.pathname.startsWith('//') ? url : null
}
