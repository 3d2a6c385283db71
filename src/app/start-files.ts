/**
 * How the files of a start are asked for, so that Chromium takes what it has compiled of them (decision 0116):
 *
 *     the first start of a build      modulepreload: Chromium compiles them while they come, and keeps what it compiled
 *     a later one, service worker on  preload: what was compiled is taken as it was kept
 *
 * What a service worker answers to a module's own request is compiled anew, also where it has been kept compiled; what came
 * as a `preload` is looked up. Other browsers know no such difference.
 *
 *     head of the page ─→ the first chunks, named by the build
 *     first chunk runs ─→ the rest (`fetch-ahead.ts`), as an earlier start loaded it (`keep-start-files.ts`)
 */
import { CODE_FILE, linkTo, MOST_FILES } from './code-files.ts'
import { fetchAhead } from './fetch-ahead.ts'

export const NAME = 'genba:start-files'
/** The app has a dozen kinds of addresses. */
export const MOST_KINDS = 30

/** As it is in the storage: what was loaded, by kind of address. */
export interface StartFiles {
  build: string
  files: Record<string, string[]>
}

/** `/quickReport/add/12` → `quickReport/2`: addresses of one kind load about the same. */
export const kindOf = (pathname: string): string => {
  const [, first = '', ...rest] = pathname.split('/')
  return `${first}/${rest.length}`
}

/** What the build says of itself in the page: its name, and its first chunks; null in development. */
export function firstFiles(): { build: string; files: string[] } | null {
  const template = document.getElementById('ahead-start')
  const build = template?.dataset['build']
  if (!(template instanceof HTMLTemplateElement) || build === undefined) return null
  const links = template.content.querySelectorAll('link')
  return { build, files: [...links].map((link) => link.getAttribute('href') ?? '') }
}

/** Of this build; null where none of its starts was kept. */
export function keptFiles(build: string): StartFiles | null {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Partial<StartFiles> | null
    return kept?.files && kept.build === build ? (kept as StartFiles) : null
  } catch {
    return null
  }
}

/** At the head of the page, before anything is loaded. */
export function fetchStart(): void {
  const first = firstFiles()
  // only Chromium has `userAgentData`
  const canBeCompiled = 'userAgentData' in navigator && navigator.serviceWorker?.controller
  const kept = first && canBeCompiled ? keptFiles(first.build) : null
  if (!first || !kept) return fetchAhead(document, 'start')
  const rest: unknown = kept.files[kindOf(location.pathname)] ?? Object.values(kept.files)[0]
  const known = Array.isArray(rest)
    ? rest.filter((file) => CODE_FILE.test(String(file))).slice(0, MOST_FILES)
    : []
  const later = document.createElement('template')
  later.id = 'ahead-rest'
  later.content.append(...known.map(preloadOf))
  document.head.append(...first.files.map(preloadOf), later)
}

const preloadOf = (href: string) => linkTo(href, { rel: 'preload', as: 'script' })
