/**
 * The chunks of a build and what each needs, by Vite's manifest: what must not hold among them. A chunk that several modules
 * share has none of their names in the manifest: `modules` of a chunk names them (`size.mjs` takes them from the source maps).
 */

/** @returns the chunk that has this module; undefined where none has */
export const chunkOf = (manifest, module) =>
  manifest[module] ? module : Object.keys(manifest).find((key) => manifest[key].modules?.includes(module))

/** @returns the chunks that these need, themselves among them; what they load later is not */
export function withStaticImports(keys, manifest, found = new Set()) {
  for (const key of keys) {
    if (found.has(key)) continue
    found.add(key)
    withStaticImports(manifest[key].imports ?? [], manifest, found)
  }
  return found
}

const screensOf = (manifest) => Object.keys(manifest).filter((key) => key.endsWith('?tsr-split=component'))

/** What a screen opens, loaded ahead of it in one piece. */
const popupsOf = (manifest) =>
  Object.keys(manifest).filter((key) => /^src\/features\/.*\.tsx$/.test(key) && manifest[key].isDynamicEntry)

/**
 * @param known chunks that every start has
 * @returns how many more the screen needs that needs most, and which it is
 */
export function moreForScreen(manifest, known) {
  const had = withStaticImports(known, manifest)
  const more = (key) => [...withStaticImports([key], manifest)].filter((each) => !had.has(each)).length
  return screensOf(manifest)
    .map((key) => [more(key), key])
    .toSorted(([a], [b]) => b - a)[0]
}

/** @param withoutScreen modules that run whatever screen stands there @returns what is wrong, in words */
export function graphProblems(manifest, withoutScreen) {
  return [...ofShared(manifest, withoutScreen), ...ofCycles(manifest), ...ofArkType(manifest)]
}

const ARKTYPE = 'node_modules/arktype/out/index.js'
/** Each in a task of its own, before the rest: as one they hold up the screen for half a second (decision 0112). */
const ARKTYPE_PARTS = [
  'node_modules/@ark/schema/out/index.js',
  'node_modules/arktype/out/keywords/ts.js',
  'node_modules/arktype/out/keywords/string.js',
]

/** Parses what the CRM says: whoever looks for ArkType must find it there. */
const NEEDS_ARKTYPE = 'sync/runtime/start-sync.ts'

/** Runs while the login of a first visit is typed in: nothing of it, early or late, may need ArkType (decision 0110). */
const RUNS_BESIDE_LOGIN = ['src/app/read-config.ts']

/** On a slow phone ArkType alone is 0.6 s of computing: no screen waits for it to be drawn (decisions 0028, 0109). */
function ofArkType(manifest) {
  const main = chunkOf(manifest, ARKTYPE)
  if (!main) return [`${ARKTYPE} is in no chunk any more: who needs it is not looked at`]
  // the package's own chunk may only lead to the ones that have it
  const own = [...withStaticImports([main], manifest)].filter((key) => !key.startsWith('_rolldown-runtime'))
  const needs = (key) => {
    const all = withStaticImports([key], manifest)
    return own.some((each) => all.has(each))
  }
  const screens = [...screensOf(manifest), ...popupsOf(manifest)]
    .filter(needs)
    .map((key) => `${key} waits for ArkType to be drawn`)
  const beside = RUNS_BESIDE_LOGIN.filter((module) => {
    const key = chunkOf(manifest, module)
    return !key || [key, ...(manifest[key].dynamicImports ?? [])].some(needs)
  }).map((module) => `${module} is in no chunk any more, or brings ArkType while the login is typed in`)
  // who looks in the wrong place finds nothing
  const sync = chunkOf(manifest, NEEDS_ARKTYPE)
  const blind = sync && needs(sync) ? [] : [`${NEEDS_ARKTYPE} is not seen to need ArkType`]
  const places = [ARKTYPE, ...ARKTYPE_PARTS].map((module) => chunkOf(manifest, module))
  const whole = ARKTYPE_PARTS.filter((_, at) => !places[at + 1] || places.indexOf(places[at + 1]) <= at).map(
    (key) => `${key} is in no chunk of its own: ArkType runs as one task (.build/arktype-parts.ts)`,
  )
  return [...screens, ...beside, ...blind, ...whole]
}

/** What the other screens share is large: nothing else may bring it along (decision 0107). */
function ofShared(manifest, withoutScreen) {
  const shared = Object.keys(manifest).filter((key) => manifest[key].name === 'screens')
  if (shared.length !== 1) return ['there is no one chunk of what the screens share (.build/chunks.ts)']
  const [screens] = shared
  return withoutScreen.flatMap((key) => {
    const chunk = chunkOf(manifest, key)
    if (!chunk) return [`${key} is in no chunk any more: what it brings along is not looked at`]
    return withStaticImports([chunk], manifest).has(screens)
      ? [`${key} runs without a screen, and needs what the screens share`]
      : []
  })
}

/** Chunks that need each other run in an order that nobody has chosen. */
function ofCycles(manifest) {
  return Object.keys(manifest).flatMap((key) =>
    (manifest[key].imports ?? [])
      .filter((needed) => withStaticImports([needed], manifest).has(key))
      .map((needed) => `${key} and ${needed} need each other`),
  )
}
