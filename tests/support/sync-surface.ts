/** The public surface of `sync/` and the order of its folders, held by the architecture test. */
import { type Module, targetOf } from './architecture.ts'

/** What `src/` uses of `sync/`: its public surface. Everything else of the module is its own affair. */
export const syncSurface: readonly string[] = [
  'sync/changes/send-adapter.ts',
  'sync/leadership/lease.ts',
  'sync/lib/backoff.ts',
  'sync/lib/slices.ts',
  'sync/lib/trusted-clock.ts',
  'sync/photos/file-store.ts',
  'sync/runtime/connectivity.ts',
  'sync/runtime/start-calls.ts',
  'sync/runtime/start-sync.ts',
  'sync/scheduler/scheduler.ts',
  'sync/transport/endpoints.ts',
  'sync/transport/http.ts',
  'sync/transport/login.ts',
  'sync/transport/parse-json.ts',
  'sync/transport/session-tokens.ts',
]

/** What the sources outside `sync/` (but for tests) import of it, each once. */
export const usedOfSync = (modules: Module[]): string[] =>
  [
    ...new Set(
      modules
        .filter(({ path }) => path.startsWith('src/'))
        .flatMap(({ path, imports }) => imports.map(({ specifier }) => targetOf(path, specifier) ?? ''))
        .filter((target) => target.startsWith('sync/')),
    ),
  ].sort()

/** The folders of `sync/` from above to below, as RULES lists them. */
export const foldersIn = (rules: string): string[] => {
  const line = rules.split('\n').find((each) => each.startsWith('A folder imports only')) ?? ''
  return [...line.matchAll(/`(\w+)\/`/g)].map(([, folder]) => folder ?? '')
}

/** @returns the imports of `sync/` that lead to a folder above */
export function upwardImports(modules: readonly Module[], folders: readonly string[]): string[] {
  const heightOf = (path: string): number => folders.indexOf(/^sync\/([^/]+)\//.exec(path)?.[1] ?? '')
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier }) => {
      const target = targetOf(path, specifier) ?? ''
      const [from, to] = [heightOf(path), heightOf(target)]
      return from > to && to !== -1 ? [`${path} → ${target}`] : []
    }),
  )
}
