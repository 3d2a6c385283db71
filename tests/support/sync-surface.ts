/** The public surface of `sync/`, held by the architecture test. */
import { type Module, targetOf } from './architecture.ts'

/** What `src/` uses of `sync/`: its public surface. Everything else of the module is its own affair. */
export const syncSurface: readonly string[] = [
  'sync/leadership/hold.ts',
  'sync/leadership/locks.ts',
  'sync/leadership/tab-channel.ts',
  'sync/merge/conflict.ts',
  'sync/photos/file-store.ts',
  'sync/photos/file-token.ts',
  'sync/queue/transitions.ts',
  'sync/runtime/connectivity.ts',
  'sync/runtime/start-sync.ts',
  'sync/runtime/sync-parts.ts',
  'sync/runtime/trusted-time.ts',
  'sync/runtime/yield-to-screen.ts',
  'sync/transport/call-pattern.ts',
  'sync/transport/circuit.ts',
  'sync/transport/circuits.ts',
  'sync/transport/endpoints.ts',
  'sync/transport/http.ts',
  'sync/transport/login.ts',
  'sync/transport/probe.ts',
  'sync/transport/retry-after.ts',
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
