/**
 * Puts code that several lazy parts of the app share into four chunks, by the libraries that the code needs
 * (decisions/speed). So the start loads no ArkType, the list loads no forms, and a first visit loads no code of other
 * screens.
 *
 *     shared ←─ later ←─ rules (ArkType), forms
 */

const ARKTYPE = /\/node_modules\/(?:arktype|@ark|arkregex)\//
/** Modules of the library for forms, and the app's modules for photos in forms. */
const FORMS =
  /\/node_modules\/@tanstack\/(?:form-core|react-form|devtools-event-client)\/|\/src\/features\/photo\//

/**
 * Modules that a first visit loads before the user can use the list. If a module is missing here, a first visit only
 * loads a few bytes more.
 */
const FIRST_VISIT = [
  'src/main',
  'src/routes/__root',
  'src/routes/_app',
  'src/routes/login',
  'src/routes/_app/request.index',
  'src/app/config/read-config',
  'src/app/diagnostics/figures',
  'src/app/diagnostics/telemetry/start',
  'src/app/network/network',
  'src/app/session/lock/lock-control',
  'src/app/session/sign-in',
  'src/app/session/signed-in',
  'src/app/session/sweep-users',
  'src/app/session/user-data',
  'src/app/shell/flash-stack',
  'src/app/shell/user-notifications',
  'src/app/updates/watch-versions',
  'src/data/visits/visits',
  'src/data/fetch-requests/interests',
  'src/features/request/search/nothing-found',
  'sync/runtime/start-sync',
]

interface ModuleInfo {
  code: string | null
  importedIds: readonly string[]
  importers: readonly string[]
}

interface Modules {
  getModuleInfo(id: string): ModuleInfo | null
}

function isPartOfFirstVisit(id: string): boolean {
  return FIRST_VISIT.some((part) => id.replace(/\.tsx?(?:\?.*)?$/, '').endsWith(`/${part}`))
}

const ICON = /\/lucide-react\/.*\/icons\/([\w-]+)\.m?js$/
const ICON_INDEX = /\/lucide-react\.m?js$/

/** Example: `scan-qr-code` is exported as ScanQrCode. */
const exportName = (icon: string) =>
  icon.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Words in each module's code, by the module's id. Stored because Rolldown copies the code at each access, and 1,700
 * icons are searched for.
 */
const words = new Map<string, ReadonlySet<string>>()

function wordsOf(id: string, modules: Modules): ReadonlySet<string> {
  const before = words.get(id)
  if (before) return before
  const found = new Set(modules.getModuleInfo(id)?.code?.match(/\w+/g))
  words.set(id, found)
  return found
}

/**
 * Modules that import a module. The index of the icon library imports every icon, so the importers of an icon are the
 * importers of the index that name the icon.
 */
function importersOf(id: string, modules: Modules): readonly string[] {
  const importers = modules.getModuleInfo(id)?.importers ?? []
  const [, icon] = ICON.exec(id) ?? []
  if (icon === undefined) return importers
  const name = exportName(icon)
  return importers
    .flatMap((each) => (ICON_INDEX.test(each) ? (modules.getModuleInfo(each)?.importers ?? []) : []))
    .filter((each) => wordsOf(each, modules).has(name))
}

/** True if a part of the first visit imports the module, directly or indirectly. */
function isOfFirstVisit(id: string, modules: Modules): boolean {
  const found = new Set([id])
  for (const each of found) {
    if (isPartOfFirstVisit(each)) return true
    for (const importer of importersOf(each, modules)) found.add(importer)
  }
  return false
}

const [NEITHER, NEEDS_ARKTYPE, NEEDS_FORMS] = [0, 1, 2]

/** By module, the library that it needs, directly or through static imports. */
const needs = new Map<string, number>()

function needOf(id: string, modules: Modules): number {
  const before = needs.get(id)
  if (before !== undefined) return before
  // A module that is being searched counts as NEITHER, which ends circular imports.
  needs.set(id, NEITHER)
  const own = FORMS.test(id) ? NEEDS_FORMS : ARKTYPE.test(id) ? NEEDS_ARKTYPE : NEITHER
  const imported = modules.getModuleInfo(id)?.importedIds ?? []
  const need = Math.max(own, ...imported.map((each) => needOf(each, modules)))
  needs.set(id, need)
  return need
}

/** The group of each module, stored because Rolldown asks for each module four times. */
const groups = new Map<string, string>()

function groupOf(id: string, modules: Modules): string {
  const before = groups.get(id)
  if (before !== undefined) return before
  const group = newGroupOf(id, modules)
  groups.set(id, group)
  return group
}

function newGroupOf(id: string, modules: Modules): string {
  const need = needOf(id, modules)
  if (need === NEEDS_FORMS) return 'forms'
  if (need === NEEDS_ARKTYPE) return 'rules'
  return isOfFirstVisit(id, modules) ? 'shared' : 'later'
}

/**
 * The groups for Rolldown. Rolldown adds to a group everything that the group's modules import, unless an earlier group
 * has it. Therefore `shared`, the first group, takes each module of the first visit that two modules import.
 */
export const sharedGroups = ['shared', 'later', 'rules', 'forms'].map((group) => ({
  name: (id: string, modules: Modules) =>
    groupOf(id, modules) === group && (modules.getModuleInfo(id)?.importers.length ?? 0) > 1 ? group : null,
  test: /\/(?:src|schemas|sync)\/|\/node_modules\/(?:@tanstack|lucide-react)\//,
  minShareCount: group === 'shared' ? 1 : 2,
}))
