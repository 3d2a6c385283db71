import { CODE_FILE, linkTo, MOST_FILES } from './code-files.ts'

/**
 * What stands between the login and the list, once the login does. The names are in a file of their own (decision 0117).
 * Where it cannot be had, the code comes when it is wanted.
 * @param fetch of the page
 */
export async function fetchListAhead(page: Document, fetch: typeof globalThis.fetch): Promise<void> {
  const from = page.getElementById('ahead-list')?.dataset['from']
  // in development there is none
  if (from === undefined) return
  // no network, a host that knows no such file, or one that answers with a page
  const files: unknown = await fetch(from)
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null)
  if (!Array.isArray(files)) return
  const known = files.filter((file): file is string => CODE_FILE.test(String(file))).slice(0, MOST_FILES)
  page.head.append(...known.map((file) => linkTo(file, { rel: 'modulepreload' })))
}
