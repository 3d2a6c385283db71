/** The URLs of the CRM and the file store (crm-contract 1), and their patterns for telemetry. */
import type { HttpCall } from './http.ts'
import { declaredFacts } from '#schemas/collections/declared-facts.ts'

/** The configured endpoints: a path, or a URL of another origin. */
export interface SyncEnv {
  apiEndpoint: string
  crmEndpoint: string
  securityEndpoint: string
  securityKey: string
  fileStoreEndpoint: string
}

/**
 * Builds the URLs.
 * @param origin the page's origin, which completes endpoints that are paths
 */
export function endpointsOf(env: SyncEnv, origin: string) {
  const api = new URL(env.apiEndpoint, origin).href.replace(/\/$/, '')
  return {
    rest: `${api}/${env.crmEndpoint}-rest/spa`,
    login: `${api}/${env.crmEndpoint}/login`,
    files: new URL(env.fileStoreEndpoint, origin).href.replace(/\/$/, ''),
    refresh: `${api}/${env.securityEndpoint}/refresh-token`,
    /** URL of the connectivity probe: the API's URL with `check` in place of `v1`. */
    probe: withCheck(api),
  }
}

/** Replaces the path segment `v1` with `check`. A host or a longer segment stays. */
function withCheck(api: string): string {
  const url = new URL(api)
  url.pathname = url.pathname.replace(/(?<=\/)v1(?=\/|$)/, 'check')
  return url.href
}

/**
 * The login call. `login.ts` parses the answer and is loaded during the call, because it imports ArkType
 * (decisions/speed).
 */
export const loginCall = (url: string, draft: { userName: string; password: string }): HttpCall => ({
  method: 'POST',
  url,
  body: new URLSearchParams(draft).toString(),
  contentType: 'application/x-www-form-urlencoded',
})

/** Words in the paths of the contract. A test compares them with `docs/generated/openapi.json`. */
const WORDS: ReadonlySet<string> = new Set([
  ...Object.values(declaredFacts).map(({ path }) => path),
  ...`
  request search report supplierStaff requestUpdate token openapp v1 folders
  create index files upload rename delete download viewer
`
    .trim()
    .split(/\s+/),
])

type Endpoints = ReturnType<typeof endpointsOf>

/**
 * Reduces a URL to a pattern for telemetry. The pattern has no query, no ids and only words of the contract, so it
 * contains no data of the CRM (crm-contract 1, 5).
 * @returns `{rest}/request/{}`, `{fs}/openapp/v1/files/upload/{}`, `{login}` and so on; `{other}` for an unknown URL
 */
export function callPattern(url: string, { rest, files, login, refresh, probe }: Endpoints): string {
  const [address = ''] = url.split(/[?#]/)
  if (address === login) return '{login}'
  if (address === refresh) return '{refresh}'
  if (address === probe) return '{probe}'
  if (address.startsWith(`${rest}/`)) return `{rest}${patternOf(address.slice(rest.length))}`
  if (address.startsWith(`${files}/`)) return `{fs}${patternOf(address.slice(files.length))}`
  return '{other}'
}

const patternOf = (path: string) =>
  path
    .split('/')
    .map((word) => (word === '' || WORDS.has(word) ? word : '{}'))
    .join('/')
