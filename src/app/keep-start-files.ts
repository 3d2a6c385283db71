import { CODE_FILE, MOST_FILES } from './code-files.ts'
import { firstFiles, keptFiles, kindOf, MOST_KINDS, NAME } from './start-files.ts'

/** Once the first screen stands: what has come through the service worker until now, where that is not known yet. */
export function keepStartFiles(): void {
  const first = firstFiles()
  if (!first) return
  const { build } = first
  const kept = keptFiles(build) ?? { build, files: {} }
  // the address may be another one by now
  const [opened] = performance.getEntriesByType('navigation')
  const kind = kindOf(new URL(opened?.name ?? location.href).pathname)
  if (kept.files[kind] || Object.keys(kept.files).length >= MOST_KINDS) return
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const files = resources.flatMap(({ name, workerStart }) => {
    const { pathname } = new URL(name)
    return workerStart > 0 && CODE_FILE.test(pathname) ? [pathname] : []
  })
  // the page's own script came first: without it the worker was put on in between, and nothing is compiled
  if (!files.includes(build)) return
  const known = new Set([build, ...first.files])
  kept.files[kind] = [...new Set(files)].filter((file) => !known.has(file)).slice(0, MOST_FILES)
  try {
    localStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // full: the next start compiles
  }
}
