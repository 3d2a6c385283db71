/**
 * The checker of the house rules, as pure functions over sources in memory.
 *
 *   files → parseModule → modules ─┬─ importViolations   the import table: who may import whom
 *                                  ├─ relativeViolations relative imports stay in their folder
 *                                  ├─ cycles             over static imports, types too
 *                                  └─ form…              names, length, exports
 *
 * A violation is one line that names the file and, where there is one, the import.
 */
import { posix } from 'node:path'
import { parseSync } from 'rolldown/utils'

export type SourceFile = { path: string; text: string }

type Import = { specifier: string; lazy: boolean }

export type Module = {
  path: string
  lines: number
  imports: Import[]
  reExports: number
  statements: number
  reExportsAll: boolean
  hasDefault: boolean
  enums: string[]
}

/** What one folder may import: `own` are `#` aliases, `libs` packages (`any`, or those that match). */
type Row = { own: readonly string[] | 'any'; libs: RegExp | 'any' }

const featureImports = ['#schemas', '#data', '#form', '#ui', '#messages', '#lib']

/** What several features show: features that their siblings may import. */
const sharedFeatures = ['camera', 'handover', 'photo', 'request-form', 'sheet'].map(
  (each) => `#features/${each}/`,
)

/** The import table of the house. A folder may always import itself. */
export const importTable: Readonly<Record<string, Row>> = {
  schemas: { own: [], libs: /^arktype(\/|$)/ },
  sync: { own: ['#schemas'], libs: /^(rxdb|rxjs|ofetch|arktype)(\/|$)/ },
  tests: { own: 'any', libs: 'any' },
  // main.tsx, and declarations beside it
  src: { own: ['#app', '#lib'], libs: 'any' },
  'src/app': { own: 'any', libs: 'any' },
  'src/routes': {
    own: ['#features', '#app'],
    libs: /^(@tanstack\/react-router|react|react-dom|@lingui\/(core|react)|lucide-react|arktype)(\/|$)/,
  },
  'src/features': { own: featureImports, libs: 'any' },
  'src/form': { own: ['#ui', '#messages', '#lib', '#schemas'], libs: 'any' },
  'src/data': { own: ['#lib', '#schemas'], libs: 'any' },
  'src/ui': { own: ['#lib'], libs: 'any' },
  'src/messages': { own: ['#lib'], libs: 'any' },
  'src/lib': { own: ['#schemas'], libs: 'any' },
  'src/demo-crm': { own: ['#schemas'], libs: 'any' },
}

// the router plugin writes the tree beside main.tsx, and no alias reaches it
const generatedTree = 'src/routeTree.gen'

const isGenerated = (path: string): boolean => /\.gen\.tsx?$/.test(path)

/** The folder a file may move in: `schemas`, `src/ui`, `src/features/<slug>`, … */
export function areaOf(path: string): string {
  const [top = '', folder = '', slug = '', ...rest] = path.split('/')
  if (top !== 'src') return top
  if (folder === 'features') return rest.length > 0 ? `src/features/${slug}` : 'src/features'
  return slug === '' ? 'src' : `src/${folder}`
}

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item)
  if (!isNode(value)) return
  yield value
  for (const child of Object.values(value)) if (typeof child === 'object') yield* nodesIn(child)
}

const literal = (value: unknown): string | undefined =>
  isNode(value) && typeof value['value'] === 'string' ? value['value'] : undefined

const nameOf = (value: unknown): string => (isNode(value) ? String(value['name']) : '')

const languageOf = (path: string) => (path.endsWith('x') ? 'tsx' : path.endsWith('ts') ? 'ts' : 'js')

/** Parses one source. Throws on a syntax error: such a file cannot be judged. */
export function parseModule({ path, text }: SourceFile): Module {
  const { program, errors } = parseSync(path, text, { lang: languageOf(path) })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const imports: Import[] = []
  const enums: string[] = []
  for (const node of nodesIn(program.body)) {
    const specifier = literal(node['source'])
    if (specifier !== undefined)
      imports.push({ specifier, lazy: /^(ImportExpression|TSImportType)$/.test(node.type) })
    if (node.type === 'TSEnumDeclaration') enums.push(nameOf(node['id']))
  }
  const body = nodesOf(program.body).filter(({ type }) => type !== 'EmptyStatement')
  const all = body.filter(({ type }) => type === 'ExportAllDeclaration')
  const named = body.filter((node) => node.type === 'ExportNamedDeclaration' && node['source'])
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    imports,
    enums,
    statements: body.length,
    reExports: all.length + named.length,
    reExportsAll: all.length > 0,
    hasDefault: body.some(exportsDefault),
  }
}

function exportsDefault(node: Node): boolean {
  if (node.type === 'ExportDefaultDeclaration') return true
  if (node.type !== 'ExportNamedDeclaration') return false
  return nodesOf(node['specifiers']).some((specifier) => nameOf(specifier['exported']) === 'default')
}

/** The row of the table for an area: the features share one. */
export const rowNameOf = (area: string): string => (area.startsWith('src/features/') ? 'src/features' : area)

const rowOf = (area: string): Row | undefined => importTable[rowNameOf(area)]

/** `#lib/x` → `#lib`. */
const aliasOf = (specifier: string): string => specifier.split('/')[0] ?? specifier

/** The path an own import points at: `#lib/x` → `src/lib/x`; relative ones are resolved; packages give undefined. */
export function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const [, folder, rest] = /^#([^/]+)\/(.+)$/.exec(specifier) ?? []
  if (folder === undefined) return undefined
  return folder === 'schemas' || folder === 'sync' ? `${folder}/${rest}` : `src/${folder}/${rest}`
}

function mayImport(path: string, specifier: string): boolean {
  if (specifier.startsWith('.')) return true // relativeViolations
  const area = areaOf(path)
  const row = rowOf(area)
  if (!row) return false
  if (specifier.startsWith('/') || specifier.startsWith('~')) return false
  if (!specifier.startsWith('#')) return row.libs === 'any' || row.libs.test(specifier)
  const itself = areaOf(targetOf(path, specifier) ?? '') === area
  const shared =
    rowNameOf(area) === 'src/features' && sharedFeatures.some((each) => specifier.startsWith(each))
  return itself || shared || row.own === 'any' || row.own.includes(aliasOf(specifier))
}

/** Imports outside the table, for the files of one row of it (or of no row). */
export function importViolations(modules: Module[], row: string | undefined): string[] {
  return modules
    .filter(({ path }) => !isGenerated(path))
    .filter(({ path }) => (row === undefined ? !rowOf(areaOf(path)) : rowNameOf(areaOf(path)) === row))
    .flatMap(({ path, imports }) =>
      row === undefined
        ? [`${path} is in a folder that the import table does not have`]
        : imports
            .filter(({ specifier }) => !mayImport(path, specifier))
            .map(({ specifier }) => `${path} imports ${specifier}`),
    )
}

function leavesItsArea(path: string, specifier: string): boolean {
  const target = targetOf(path, specifier) ?? ''
  if (target.startsWith(generatedTree)) return !['src', 'src/app'].includes(areaOf(path))
  return areaOf(target) !== areaOf(path)
}

/** Relative imports that leave their top folder or their feature. */
export function relativeViolations(modules: Module[]): string[] {
  return modules
    .filter(({ path }) => !isGenerated(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.') && leavesItsArea(path, specifier))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    )
}

/** Import cycles, each once, as `a → b → a`. Lazy imports and the generated route tree do not count. */
export function cycles(modules: Module[]): string[] {
  const sources = modules.filter(({ path }) => !isGenerated(path))
  const paths = new Set(sources.map(({ path }) => path))
  const resolve = (target: string | undefined) =>
    ['', '.ts', '.tsx', '.mjs'].map((end) => `${target}${end}`).find((path) => paths.has(path))
  const graph = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports
        .filter(({ lazy }) => !lazy)
        .map(({ specifier }) => resolve(targetOf(path, specifier)))
        .filter((target) => target !== undefined),
    ]),
  )
  const found: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, trail: string[]): void => {
    const seen = trail.indexOf(path)
    if (seen >= 0) found.push([...trail.slice(seen), path].join(' → '))
    if (seen >= 0 || finished.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    finished.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}

/** Files that only hand on what others export: an index with a re-export, `export *`, or nothing but re-exports. */
export function barrels(modules: Module[]): string[] {
  return modules
    .filter(({ path }) => !isGenerated(path))
    .filter(({ path, reExports, reExportsAll, statements }) => {
      const isIndex = /(^|\/)index\.\w+$/.test(path) && !path.startsWith('src/routes/')
      return reExportsAll || (reExports > 0 && (isIndex || reExports === statements))
    })
    .map(({ path }) => `${path} is a barrel`)
}

/** Default exports outside tool settings and declarations. */
export function defaultExports(modules: Module[]): string[] {
  return modules
    .filter(({ path, hasDefault }) => hasDefault && !isGenerated(path) && !/\.(config|d)\.ts$/.test(path))
    .map(({ path }) => `${path} has a default export`)
}

/** TypeScript enums. */
export function enumDeclarations(modules: Module[]): string[] {
  return modules.flatMap(({ path, enums }) => enums.map((name) => `${path} declares enum ${name}`))
}

/** Names that are not kebab-case. Route files mirror the URL instead. */
export function misnamed(modules: Module[]): string[] {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/
  return modules
    .filter(({ path }) => !path.startsWith('src/routes/') && !isGenerated(path))
    .filter(({ path }) => !path.split('/').every((part) => kebab.test(part)))
    .map(({ path }) => `${path} is not kebab-case`)
}

export const lineLimit = 300

/** Files that have become too long. */
export function tooLong(modules: Module[]): string[] {
  return modules
    .filter(({ path, lines }) => lines > lineLimit && !isGenerated(path) && !path.startsWith('src/locales/'))
    .map(({ path, lines }) => `${path} has ${lines} lines`)
}

/** The one folder that may lean on what RxDB and Dexie keep to themselves (docs/rxdb-upgrade.md). */
export const privateFolder = 'src/data/storage/'

const PRIVATE_PARTS =
  /rxdb\/plugins\/storage-dexie|\b(?:internalStorageInstance|storageInstance|metaInstance|internals|backendDB|normalizeMangoQuery|prepareQuery|categorizeBulkWriteRows|getQueryMatcher|getSortComparator|createRevision|internalReplicationState|checkpointQueue|streamQueue|toggleOnDocumentVisible|_\w*(?:OverDatabase|EqualQueue|ChangeEvent))\b/

/**
 * What the app's sources name of RxDB's and Dexie's private parts outside that folder.
 * @param upgradePage docs/rxdb-upgrade.md: a file that its table names is compared at each upgrade
 */
export function privateUses(files: SourceFile[], upgradePage: string): string[] {
  return files
    .filter(({ path }) => /^(?:src|sync)\/.*\.tsx?$/.test(path) && !path.startsWith(privateFolder))
    .filter(({ path }) => !upgradePage.includes(`\`${path}\``))
    .flatMap(({ path, text }) => {
      const part = PRIVATE_PARTS.exec(text)?.[0]
      return part === undefined ? [] : [`${path} uses ${part}`]
    })
}

const topLevel = new Set([
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.json',
  'lingui.config.ts',
  'index.html',
  'README.md',
  'src',
  'schemas',
  'sync',
  'tests',
  'docs',
  'public',
  'deploy',
])

/** Entries at the top that do not belong there. Dot files may. */
export function strayEntries(paths: string[]): string[] {
  const tops = new Set(paths.map((path) => path.split('/')[0] ?? path))
  return [...tops].filter((name) => !name.startsWith('.') && !topLevel.has(name))
}
