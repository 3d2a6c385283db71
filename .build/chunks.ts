/**
 * What is always loaded together is one chunk (decision 0087): each module that others share, too, would be a file of some
 * hundred bytes, and eighty of them pack badly and each has its own way to the phone. A chunk takes along what its modules
 * need and no chunk before it has.
 *
 *     first ─→ login │ list ─→ days │ network ─→ device ─→ rows
 *
 * `days` draws what was kept of the list, before anything of the database is loaded (decision 0105).
 *
 * No module of the page waits at its top level (`await` outside of a function): with one, Rolldown puts no chunks together,
 * and each module that is loaded by its name is one more file beside the chunk that has it (decision 0117).
 */
import { join, resolve } from 'node:path'

/** What the first screens have, and what is loaded later has, too. */
const OWN = {
  app: [
    'session-store',
    'value-store',
    'put-aside',
    'crm-clock',
    'other-crms/frame-address',
    'error-log',
    'device-settings',
    'settings',
    'env',
    'device-clock',
    'watch-errors',
    'crms',
    'lazy-figures',
    'update',
  ],
  lib: [
    'crm-scope',
    'kept-json',
    'storage-full',
    'user-timing',
    'without-values',
    'stamp',
    'tokyo-time',
    'working-day',
  ],
  data: ['crm-standings', 'first-queries'],
}
const ICONS = [
  'wifi',
  'cloud-upload',
  'chevron-right',
  'chevron-down',
  'check',
  'circle-check',
  'refresh-cw',
  'clipboard-list',
]

const folders = Object.entries(OWN).map(([folder, names]) => `${folder}/(?:${names.join('|')})`)

const IN_FIRST = new RegExp(
  `/src/(?:${folders.join('|')})\\.ts$|/src/app/(?:boot|start)\\.tsx?$|/node_modules/(?:react|react-dom|scheduler)/|/lucide-react/dist/esm/icons/(?:${ICONS.join('|')})\\.`,
)

const CHUNKS_IN_ORDER: readonly (readonly [name: string, test: RegExp])[] = [
  // each of them is needed for the first screen
  ['routes', /src\/routes\/[^?]*$/],
  ['first', IN_FIRST],
  ['login', /src\/routes\/login\.tsx\?/],
  ['list', /src\/routes\/_app(?:\/request\.index)?\.tsx\?/],
  ['days', /src\/features\/request\/visit-days\.tsx$/],
  ['network', /src\/app\/(?:network|sign-in)\.ts$/],
  ['device', /src\/app\/(?:user-data|keys|tell-user|signed-in)\.ts$/],
  ['rows', /src\/data\/(?:visits|outbox|interests)\.ts$/],
]

/** Runs once the first screen stands, whatever screen that is, or without one: what it needs stays apart. */
export const WITHOUT_SCREEN = [
  'src/app/flash-stack.tsx',
  'src/app/keep-first-rows.ts',
  'src/app/read-config.ts',
  'src/app/support/now.ts',
  'src/app/sweep-users.ts',
  'src/app/tell-default-lock.ts',
  'src/app/telemetry/start-telemetry.ts',
  'src/app/watch-figures.ts',
  'src/app/watch-versions.ts',
  'sync/runtime/start-sync.ts',
]

/** The modules that one needs, itself among them; what it loads later is not, nor what packages need in turn. */
type NeededBy = (id: string) => ReadonlySet<string>

/** @param importsOf what a module imports statically */
export function neededBy(importsOf: (id: string) => readonly string[]): NeededBy {
  const known = new Map<string, ReadonlySet<string>>()
  const walk = (id: string, found: Set<string>) => {
    if (found.has(id)) return found
    found.add(id)
    // the index of a package of icons needs all of them, and ships few
    if (!id.includes('/node_modules/')) for (const each of importsOf(id)) walk(each, found)
    return found
  }
  return (id) => {
    const found = known.get(id) ?? walk(id, new Set())
    known.set(id, found)
    return found
  }
}

const IS_ARKTYPE = /\/node_modules\/arktype\//
const root = resolve(import.meta.dirname, '..')

/** Whether several screens may have it in one file: no screen waits for ArkType to be drawn (decision 0028). */
export function isOfScreens(id: string, needed: NeededBy): boolean {
  if ([...needed(id)].some((each) => IS_ARKTYPE.test(each))) return false
  return !WITHOUT_SCREEN.some((file) => needed(join(root, file)).has(id))
}

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

let asked: [modules: Modules, needed: NeededBy] | null = null

/** One build has one graph, and asks for each of its modules. */
function neededIn(modules: Modules): NeededBy {
  if (asked?.[0] !== modules)
    asked = [modules, neededBy((id) => modules.getModuleInfo(id)?.importedIds ?? [])]
  return asked[1]
}

/**
 * What several of the other screens share: forms, sheets, what is read of a request. Each module was a file of some hundred
 * bytes, and a screen opened cold by its address waited for forty of them (decision 0107).
 */
const SHARED = {
  name: (id: string, modules: Modules) => (isOfScreens(id, neededIn(modules)) ? 'screens' : null),
  test: /\/src\/(?:ui|form|features|data|lib|messages)\/|\/node_modules\/(?:@tanstack|lucide-react)\//,
  minShareCount: 2,
  priority: 1,
  // what others have, too, is not this one's
  includeDependenciesRecursively: false,
}

/** For `codeSplitting.groups`: those before have the first word. */
export const CHUNKS = [
  ...CHUNKS_IN_ORDER.map(([name, test], at) => ({ name, test, priority: 100 - at })),
  SHARED,
]

const NAMES = new Set(CHUNKS_IN_ORDER.map(([name]) => name))

/**
 * Chromium compiles these chunks whole, off the page's thread, while they come: each function for itself, at its first call,
 * was a fifth of a cold start (decision 0094). Others take it as a comment.
 */
export const compiledWhole = ({ name }: { name: string }): string =>
  NAMES.has(name) ? '//# allFunctionsCalledOnLoad' : ''
