/**
 * Texts of the error log: complete, as its user sends it, and for a support file without ids and names. The log
 * contains no field values (sync RULES EX7), but its URLs and reports contain ids of records.
 */
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import type { ErrorEntry } from './store.ts'

/** Replaces the user agent of an entry by the names of browser and system. */
export const withBrowser = ({ agent, ...entry }: ErrorEntry) => ({
  ...entry,
  browser: browserOf(agent),
  os: systemOf(agent),
})

/** Formats the log for the file that the user sends. */
export const errorLogText = (entries: readonly ErrorEntry[]): string =>
  entries
    .map((entry) =>
      Object.entries(withBrowser(entry))
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n'),
    )
    .join('\n\n')

/**
 * Words that appear in the URLs of screens and of the contract. A test compares them with the routes and with
 * `docs/generated/openapi.json`.
 */
const WORDS: ReadonlySet<string> = new Set([
  ...Object.values(declaredFacts).flatMap(({ slug, path }) => [slug, path]),
  ...`
  request search report supplierStaff requestUpdate token openapp v1 folders
  create index files upload rename delete download viewer api crm-rest spa crm login security
  refresh-token check logout outbox settings figures support share verify error-logs not-found forbidden
  internal-server-error add edit select assets src node_modules
`
    .trim()
    .split(/\s+/),
])

/** A file of the build with line and column, as in a stack trace. */
const CODE = /^[\w.@-]+\.(?:js|mjs|ts|tsx|css|html|json)(?:\?[^:]*)?(?::\d+){0,2}$/
const WORD = /[^\s"'()<>「」（）]+/g
const ORIGIN = /^(?:at )?(?:https?|blob|file):\/*[^/]*/
/** Anything that may be an id: a word with a digit, except small numbers and message keys. */
const ID = /(?<![\w/.-])(?!\d{1,3}(?![\w-]))(?!ec\d{5}(?!\w))[\w-]*\d[\w.-]*/g

/** Replaces every unknown word of an address: `/request/1234` → `/request/{}`. */
export const addressPattern = (address: string): string =>
  address
    .replace(ORIGIN, '')
    .replace(/[?#].*$/, '')
    .split('/')
    .map((word) => {
      const bare = word.replace(/[:,.;]+$/, '')
      const end = word.slice(bare.length)
      return bare === '' || WORDS.has(bare) || CODE.test(bare) ? word : `{}${end}`
    })
    .join('/')

/** @param known ids and names on the device, all of which are removed */
export function withoutIds(text: string, known: readonly string[] = []): string {
  // Names are removed first: a part of a name with blanks could look like an id.
  const unnamed = known
    .filter((name) => name.length > 2)
    .reduce((rest, name) => rest.replaceAll(name, '…'), text)
  return unnamed.replace(WORD, (word) =>
    word.includes('/') ? addressPattern(word) : word.replace(ID, (id) => (CODE.test(id) ? id : '…')),
  )
}
