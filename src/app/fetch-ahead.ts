/** What a first visit needs next is fetched before the code that names it has come, and runs once it is wanted (decision 0106). */

/**
 * @param what `start`: the first chunks; `rest`: what an earlier start loaded (`start-files.ts`); `login`: its form; `list`:
 * what stands between the login and the list. The build names the files in the page (`.build/fetched-ahead.ts`), but for
 * `rest`. Where the browser knows no `modulepreload` they come when they are wanted.
 */
export function fetchAhead(page: Document, what: 'start' | 'rest' | 'login' | 'list'): void {
  const files = page.getElementById(`ahead-${what}`)
  if (files instanceof HTMLTemplateElement) page.head.append(files.content.cloneNode(true))
}
