/** The page's only Trusted Types policy (decisions/hosting). The entry imports it first, so no later code can. */

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
  if (origin === location.origin && (OWN_SCRIPT.test(pathname) || import.meta.env.DEV)) return href
  throw new TypeError(`not a script of this app: ${pathname}`)
}

/** @returns the URL for `Worker` and `register` @throws TypeError if it is not a script of this app */
export const ownScript = (address: string): string =>
  (policy ? policy.createScriptURL(address) : ownAddress(address)) as string
