/**
 * Lines of the error log for a support file: the log holds no values (sync RULES EX7), but ids of records stand in its
 * addresses and reports, and those go here. What is left says where in the code, and of what kind.
 */
import { declaredFacts } from '#schemas/declared-facts.ts'
import type { ErrorLogEntry } from '#app/diagnostics/error-log-entry.ts'

/** Words of the screens' addresses and of the contract's: held against the routes and `docs/generated/openapi.json` by a test. */
const WORDS: ReadonlySet<string> = new Set([
  ...Object.values(declaredFacts).flatMap(({ slug, path }) => [slug, path]),
  ...`
  request search report supplierStaff requestUpdate token openapp v1 folders
  create index files upload rename delete download viewer api crm-rest spa crm login security
  refresh-token check logout outbox settings figures support error-logs not-found forbidden
  internal-server-error add edit select assets src node_modules
`
    .trim()
    .split(/\s+/),
])

/** A file of the build, with its place. */
const CODE = /^[\w.@-]+\.(?:js|mjs|ts|tsx|css|html|json)(?:\?[^:]*)?(?::\d+){0,2}$/
const WORD = /[^\s"'()<>「」（）]+/g
const ORIGIN = /^(?:at )?(?:https?|blob|file):\/*[^/]*/
/** What may be an id: a word with a digit, but for small numbers and message keys. */
const NAMED = /(?<![\w/.-])(?!\d{1,3}(?![\w-]))(?!ec\d{5}(?!\w))[\w-]*\d[\w.-]*/g

/** An address as its pattern: `/request/{}`. */
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

/** @param known ids and names that are on the device, and must not be in a text whatever they look like */
export function withoutIds(text: string, known: readonly string[] = []): string {
  // before anything else: of a name with blanks a part might be taken for an id
  const unnamed = known
    .filter((each) => each.length > 2)
    .reduce((left, each) => left.replaceAll(each, '…'), text)
  return unnamed.replace(WORD, (word) =>
    word.includes('/')
      ? addressPattern(word)
      : word.replace(NAMED, (named) => (CODE.test(named) ? named : '…')),
  )
}

export const errorLine = (entry: ErrorLogEntry, known: readonly string[]) => ({
  at: entry.at,
  message: withoutIds(entry.message, known),
  stack: withoutIds(entry.stack, known),
  response: withoutIds(entry.response, known),
  screen: withoutIds(entry.screen, known),
})
