/** Texts of the error log: complete for the user, and without ids and names for a support file (EX7). */
import { declaredFacts } from '#schemas/collections/push-collections.ts'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import type { ErrorEntry } from './store.ts'

export const withBrowser = ({ agent, ...entry }: ErrorEntry) => ({
  ...entry,
  browser: browserOf(agent),
  os: systemOf(agent),
})

export const errorLogText = (entries: readonly ErrorEntry[]): string =>
  entries
    .map((entry) =>
      Object.entries(withBrowser(entry))
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n'),
    )
    .join('\n\n')

/** Known path segments in URLs; any other may be an id. A test compares them with the routes and the API. */
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

const CODE = /^[\w.@-]+\.(?:js|mjs|ts|tsx|css|html|json)(?:\?[^:]*)?(?::\d+){0,2}$/
const WORD = /[^\s"'()<>「」（）]+/g
const ORIGIN = /^(?:at )?(?:https?|blob|file):\/*[^/]*/
/** Matches words that may be ids: any word with a digit, except small numbers and message keys. */
const ID = /(?<![\w/.-])(?!\d{1,3}(?![\w-]))(?!ec\d{5}(?!\w))[\w-]*\d[\w.-]*/g

/** Replaces unknown path segments: `/request/1234` → `/request/{}`. */
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

/** @param known ids and names on the device, which are removed from the text */
export function withoutIds(text: string, known: readonly string[] = []): string {
  // Names are removed first, because a part of a name could look like an id.
  const unnamed = known
    .filter((name) => name.length > 2)
    .reduce((rest, name) => rest.replaceAll(name, '…'), text)
  return unnamed.replace(WORD, (word) =>
    word.includes('/') ? addressPattern(word) : word.replace(ID, (id) => (CODE.test(id) ? id : '…')),
  )
}
