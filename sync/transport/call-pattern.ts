/**
 * What a call's address was, without what it was about: ids and values of the query are left out, and so is every word that
 * the contract does not have (crm-contract 1, 5). Nothing that the CRM made up gets through.
 */
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import type { endpointsOf } from './endpoints.ts'

/** The words of the contract's paths, of a declared resource its own: held against `docs/generated/openapi.json` by a test. */
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

/** @returns `{rest}/request/{}`, `{fs}/openapp/v1/files/upload/{}`, `{login}`; `{other}` for an address of nobody */
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
