/** The URLs of the CRM and the file store (crm-contract 1), and their patterns for telemetry. */
import type { HttpCall } from './http.ts'
import { declaredFacts } from '#schemas/collections/push-collections.ts'

/** The configured endpoints: a path, or a URL of another origin. */
export interface SyncEnv {
  apiEndpoint: string
  crmEndpoint: string
  securityEndpoint: string
  securityKey: string
  fileStoreEndpoint: string
}

/** Builds the URLs. @param origin the page's origin, which completes endpoints that are paths */
export function endpointsOf(env: SyncEnv, origin: string) {
  const api = new URL(env.apiEndpoint, origin).href.replace(/\/$/, '')
  const probe = new URL(api)
  // Replaces `v1` only if it is a whole path segment.
  probe.pathname = probe.pathname.replace(/(?<=\/)v1(?=\/|$)/, 'check')
  return {
    rest: `${api}/${env.crmEndpoint}-rest/spa`,
    login: `${api}/${env.crmEndpoint}/login`,
    files: new URL(env.fileStoreEndpoint, origin).href.replace(/\/$/, ''),
    refresh: `${api}/${env.securityEndpoint}/refresh-token`,
    /** URL of the connectivity probe: the API's URL with `check` in place of `v1`. */
    probe: probe.href,
  }
}

/** The login call. `login.ts`, which imports ArkType, parses the answer and is loaded meanwhile (decisions/speed). */
export const loginCall = (url: string, draft: { userName: string; password: string }): HttpCall => ({
  method: 'POST',
  url,
  body: new URLSearchParams(draft).toString(),
  contentType: 'application/x-www-form-urlencoded',
})

/** Words in the paths of the contract. A test compares them with `docs/generated/openapi.json`. */
const WORDS: ReadonlySet<string> = new Set([
  ...Object.values(declaredFacts).map(({ path }) => path),
  ...'request search report supplierStaff requestUpdate token openapp v1 folders'.split(' '),
  ...'create index files upload rename delete download viewer'.split(' '),
])

type Endpoints = ReturnType<typeof endpointsOf>

/** Reduces a URL to its pattern for telemetry, such as `{rest}/request/{}` or `{login}`, without data of the CRM. */
export function callPattern(url: string, { rest, files, login, refresh, probe }: Endpoints): string {
  const [address = ''] = url.split(/[?#]/)
  const named = Object.entries({ login, refresh, probe }).find(([, whole]) => address === whole)
  if (named) return `{${named[0]}}`
  if (address.startsWith(`${rest}/`)) return `{rest}${patternOf(address.slice(rest.length))}`
  if (address.startsWith(`${files}/`)) return `{fs}${patternOf(address.slice(files.length))}`
  return '{other}'
}

const patternOf = (path: string) => path.replace(/[^/]+/g, (word) => (WORDS.has(word) ? word : '{}'))
