/**
 * The page's one policy of Trusted Types (docs/decisions/hosting.md). It names the service worker and the build's
 * workers; no text becomes HTML or a script. The entry of the app imports this module first, and the page allows each name
 * once: no later code can make a policy.
 */

/** What a script may be loaded from by its address. */
const OWN_SCRIPT = /^\/(?:sw\.js|assets\/[\w.-]+\.js)$/

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): unknown }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('genba-own-scripts', { createScriptURL: ownAddress })

function ownAddress(address: string): string {
  const { origin, pathname, href } = new URL(address, location.href)
  // a development server names its modules otherwise
  if (origin === location.origin && (OWN_SCRIPT.test(pathname) || import.meta.env.DEV)) return href
  throw new TypeError(`not a script of this app: ${pathname}`)
}

/**
 * @returns the address as `Worker` and `register` take it: a browser with Trusted Types refuses a bare string
 * @throws TypeError where it is no script of this app
 */
export const ownScript = (address: string): string =>
  (policy ? policy.createScriptURL(address) : ownAddress(address)) as string
