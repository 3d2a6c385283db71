/**
 * Reduces a URL to a pattern for telemetry: ids, query values and all words that are not in the contract are
 * removed (crm-contract 1, 5), so it contains no data of the CRM.
 */
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import type { endpointsOf } from './endpoints.ts'

/**
 * The words of the contract's paths, including those of declared resources. A test compares them with
 * `docs/generated/openapi.json`.
 */
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
 * Returns `{rest}/request/{}`, `{fs}/openapp/v1/files/upload/{}`, `{login}` and so on; `{other}` for an
 * unknown URL.
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
