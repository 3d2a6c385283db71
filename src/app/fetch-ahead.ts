/**
 * What a first visit needs next is fetched before the code that names it has come, and runs once it is wanted (decision
 * 0106). The build names the files (`.build/fetched-ahead.ts`). Where the browser knows no `modulepreload` they come when
 * they are wanted.
 * @param what `start`: the first chunks; `rest`: what an earlier start loaded (`start-files.ts`); `login`: its form. What
 * comes after the login: `fetch-list-ahead.ts`
 */
export function fetchAhead(page: Document, what: 'start' | 'rest' | 'login'): void {
  const files = page.getElementById(`ahead-${what}`)
  if (files instanceof HTMLTemplateElement) page.head.append(files.content.cloneNode(true))
}
