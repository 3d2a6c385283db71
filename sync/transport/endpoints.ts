import type { HttpCall } from './http.ts'

/** The URLs of crm-contract 1; each endpoint is a path or another origin. */
export interface SyncEnv {
  apiEndpoint: string
  crmEndpoint: string
  securityEndpoint: string
  securityKey: string
  fileStoreEndpoint: string
}

/**
 * Builds the URLs.
 * @param origin the page's origin, for endpoints that are paths
 */
export function endpointsOf(env: SyncEnv, origin: string) {
  const api = new URL(env.apiEndpoint, origin).href.replace(/\/$/, '')
  return {
    rest: `${api}/${env.crmEndpoint}-rest/spa`,
    login: `${api}/${env.crmEndpoint}/login`,
    /** The file store (crm-contract 5). */
    files: new URL(env.fileStoreEndpoint, origin).href.replace(/\/$/, ''),
    refresh: `${api}/${env.securityEndpoint}/refresh-token`,
    /** The connectivity probe: the API's URL with `v1` replaced by `check`. */
    probe: withCheck(api),
  }
}

/** Replaces the path segment `v1`; a host or a longer segment does not match. */
function withCheck(api: string): string {
  const url = new URL(api)
  url.pathname = url.pathname.replace(/(?<=\/)v1(?=\/|$)/, 'check')
  return url.href
}

/** The login call. `login.ts` parses its response and loads ArkType meanwhile (decisions/speed). */
export const loginCall = (url: string, draft: { userName: string; password: string }): HttpCall => ({
  method: 'POST',
  url,
  body: new URLSearchParams(draft).toString(),
  contentType: 'application/x-www-form-urlencoded',
})
