/**
 * The house rules, held against every source that git knows or would know. The second half proves that the
 * checker can fail: each rule meets a small example that breaks it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  areaOf,
  barrels,
  cycles,
  defaultExports,
  enumDeclarations,
  importTable,
  importViolations,
  lineLimit,
  misnamed,
  parseModule,
  privateFolder,
  privateUses,
  relativeViolations,
  rowNameOf,
  strayEntries,
  tooLong,
  type Module,
} from './support/architecture.ts'
import { castsOf, forcedCasts } from './support/forced-casts.ts'
import { edgesOf, pictureOf, reduced } from './support/house-picture.ts'
import { foldersIn, syncSurface, upwardImports, usedOfSync } from './support/sync-surface.ts'

const root = resolve(import.meta.dirname, '..')
const page = (path: string) => readFileSync(join(root, path), 'utf8')
/** Tracked files and those not ignored; outside a git checkout, everything that .gitignore does not name. */
function listFiles(): string[] {
  const git = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (git.status === 0) return git.stdout.split('\0').filter((path) => path && existsSync(join(root, path)))
  const ignored = new Set(['.git', ...readFileSync(join(root, '.gitignore'), 'utf8').split('\n')])
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !ignored.has(name) && !name.endsWith('.log'))
      .flatMap((entry) => {
        const path = folder ? `${folder}/${entry.name}` : entry.name
        return entry.isDirectory() ? walk(path) : [path]
      })
  return walk('')
}

const paths = listFiles()
const sources = paths
  .filter((path) => /^(src|schemas|sync|tests)\/.*\.(ts|tsx|mts|mjs)$/.test(path))
  .map((path) => ({ path, text: page(path) }))
const modules = sources.map(parseModule)

const describeRow = (row: string): string => {
  const { own, libs } = importTable[row] ?? { own: [], libs: 'any' }
  const ours = own === 'any' ? 'anything' : own.join(' ') || 'nothing of ours'
  return libs === 'any' ? ours : `${ours}, of packages ${libs.source}`
}

describe('the import table', () => {
  test.each(Object.keys(importTable).map((row) => [row, describeRow(row)]))('%s/ imports %s', (row) => {
    expect(importViolations(modules, row)).toEqual([])
  })

  test('every source is in a folder that the table has', () => {
    expect(importViolations(modules, undefined)).toEqual([])
  })

  test('src/ uses of sync/ what is listed as its surface, no more and no less', () => {
    expect(usedOfSync(modules)).toEqual(syncSurface)
    const used = 'sync/changes/sender.ts'
    expect(usedOfSync([importing('src/app/a.ts', `#${used}`)])).toEqual([used])
  })

  test('what leans on private parts of RxDB and Dexie lies in one folder, or is named by the page of the upgrade', () => {
    const uses = (files: typeof sources) => privateUses(files, page('docs/rxdb-upgrade.md'))
    const found = (path: string, text: string) => uses([{ path, text }]).length
    expect(uses(sources)).toEqual([])
    expect(found('sync/changes/a.ts', `import { a } from 'rxdb/plugins/storage-dexie'`)).toBe(1)
    expect(found('src/data/a.ts', 'collection.internalStorageInstance')).toBe(1)
    expect(found('sync/changes/replications.ts', 'state.streamQueue.up')).toBe(0)
    expect(found(`${privateFolder}a.ts`, 'streamQueue')).toBe(0)
  })

  test('a folder of sync/ imports only those that RULES lists below it', () => {
    const inRules = foldersIn(page('sync/RULES.md'))
    const inTree = new Set(paths.flatMap((path) => /^sync\/([^/]+)/.exec(path)?.[1] ?? []))
    expect(inTree).toEqual(new Set([...inRules, 'RULES.md']))
    expect(upwardImports(modules, inRules)).toEqual([])
    expect(upwardImports([importing('sync/lib/a.ts', '#sync/pull/b.ts')], inRules)).toHaveLength(1)
  })
})

describe('the picture of the house', () => {
  test('CONTRIBUTING shows the rooms and their imports as they are', () => {
    expect(/```mermaid[^]*?```/.exec(page('docs/CONTRIBUTING.md'))?.[0]).toBe(pictureOf(modules))
  })

  test('an arrow that follows from others is left out, the others are not', () => {
    const edges = edgesOf([
      importing('src/features/memo/a.ts', '#data/b.ts', '#lib/c.ts'),
      importing('src/data/b.ts', '#lib/c.ts'),
      importing('src/app/d.ts', '#ui/e.ts'),
      importing('tests/f.ts', '#lib/c.ts'),
    ])
    expect(edges).toHaveLength(4)
    expect(reduced(edges)).toEqual([
      ['src/app', 'src/ui'],
      ['src/data', 'src/lib'],
      ['src/features', 'src/data'],
    ])
  })
})

const rules: { title: string; check: (modules: Module[]) => string[] }[] = [
  { title: 'a relative import never leaves its top folder or its feature', check: relativeViolations },
  { title: 'there are no import cycles', check: cycles },
  { title: 'there are no barrels', check: barrels },
  { title: 'there is no default export except where a tool needs it', check: defaultExports },
  { title: 'there is no TypeScript enum', check: enumDeclarations },
  { title: 'files and folders are kebab-case', check: misnamed },
  { title: `no file has more than ${lineLimit} lines`, check: tooLong },
]

describe('the style', () => {
  test.each(rules)('$title', ({ check }) => {
    expect(check(modules)).toEqual([])
  })

  test('a cast by way of unknown or never is one that a library’s types force, and says so', () => {
    expect(castsOf(sources)).toEqual({ counts: forcedCasts, unsaid: [] })
    const text = 'const a = 1\nconst b = a as unknown as string'
    expect(castsOf([{ path: 'src/data/a.ts', text }])).toEqual({
      counts: { 'src/data/a.ts': 1 },
      unsaid: ['src/data/a.ts'],
    })
  })

  test('the top level holds only what belongs there', () => {
    expect(strayEntries(paths)).toEqual([])
  })
})

/** One module that imports the given specifiers. */
const importing = (path: string, ...specifiers: string[]): Module =>
  parseModule({ path, text: specifiers.map((specifier) => `import '${specifier}'`).join('\n') })

const checkImports = (module: Module): string[] => importViolations([module], rowNameOf(areaOf(module.path)))

describe('the checker of imports', () => {
  test.each([
    ['schemas/a.ts', '#lib/a'],
    ['schemas/a.ts', 'rxdb'],
    ['schemas/a.ts', 'arktypes'],
    ['sync/changes/replications.ts', '#lib/tokyo-time'],
    ['sync/changes/replications.ts', '#app/env'],
    ['sync/changes/replications.ts', 'react'],
    ['sync/wire/a.ts', '@lingui/core'],
    ['src/main.tsx', '#sync/start-sync'],
    ['src/routes/request.tsx', '#sync/start-sync'],
    ['src/routes/request.tsx', '#data/database'],
    ['src/routes/request.tsx', 'rxdb'],
    ['src/features/memo/screen.tsx', '#features/request/screen'],
    ['src/features/memo/screen.tsx', '#app/env'],
    ['src/features/memo/screen.tsx', '#sync/push'],
    ['src/features/memo/screen.tsx', '#demo-crm/seed'],
    ['src/features/memo/screen.tsx', '#nowhere/a'],
    ['src/features/memo/screen.tsx', '/src/lib/a'],
    ['src/form/field.tsx', '#data/database'],
    ['src/data/database/database.ts', '#ui/button'],
    ['src/ui/button.tsx', '#messages/table'],
    ['src/messages/table.ts', '#ui/button'],
    ['src/lib/time/tokyo-time.ts', '#data/database'],
    ['src/demo-crm/handler.ts', '#lib/tokyo-time'],
  ])('%s may not import %s', (path, specifier) => {
    expect(checkImports(importing(path, specifier))).toEqual([`${path} imports ${specifier}`])
  })

  test.each([
    ['schemas/a.ts', 'arktype'],
    ['sync/changes/replications.ts', '#schemas/a'],
    ['sync/changes/replications.ts', 'rxdb/plugins/replication'],
    ['src/app/boot.tsx', '#sync/start-sync'],
    ['src/app/boot.tsx', '#demo-crm/handler'],
    ['src/routes/request.tsx', '#features/request/screen'],
    ['src/features/memo/screen.tsx', '#form/field'],
    ['src/features/memo/screen.tsx', '#features/memo/commands'],
    ['src/demo-crm/handler.ts', '#schemas/a'],
  ])('%s may import %s', (path, specifier) => {
    expect(checkImports(importing(path, specifier))).toEqual([])
  })

  test.each([
    ['import type', `import type { A } from '#app/env'`],
    ['export from', `export { a } from '#app/env'`],
    ['import()', `export const load = () => import('#app/env')`],
    ['the type import()', `export type A = import('#app/env').A`],
  ])('sees %s', (_, text) => {
    expect(checkImports(parseModule({ path: 'sync/a.ts', text }))).toEqual(['sync/a.ts imports #app/env'])
  })

  test('a folder outside the table is reported', () => {
    expect(importViolations([importing('src/utils/a.ts')], undefined)).toHaveLength(1)
    expect(importViolations([importing('src/lib/a.ts')], undefined)).toEqual([])
  })

  test.each([
    ['src/ui/button.tsx', '../lib/a'],
    ['src/features/memo/screen.tsx', '../request/screen'],
    ['sync/wire/a.ts', '../../schemas/a'],
    ['tests/e2e/a.e2e.ts', '../../src/lib/a'],
    ['src/features/memo/screen.tsx', '../../routeTree.gen'],
  ])('%s may not reach %s', (path, specifier) => {
    expect(relativeViolations([importing(path, specifier)])).toEqual([`${path} imports ${specifier}`])
  })

  test.each([
    ['sync/wire/a.ts', '../plan'],
    ['src/features/memo/form/a.tsx', '../rules'],
    ['src/app/router.tsx', '../routeTree.gen'],
    ['src/main.tsx', './routeTree.gen'],
  ])('%s may reach %s', (path, specifier) => {
    expect(relativeViolations([importing(path, specifier)])).toEqual([])
  })
})

describe('the checker of cycles', () => {
  test('finds one across aliases and relative imports', () => {
    const [a, b] = [importing('src/lib/a.ts', './b'), importing('src/lib/b.ts', '#lib/c.ts')]
    expect(cycles([a, b, importing('src/lib/c.ts', './a')])).toEqual([
      'src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts',
    ])
  })

  test('a diamond, a lazy import and the generated tree are none', () => {
    const lazy = parseModule({ path: 'src/lib/d.ts', text: `export const load = () => import('./a')` })
    const diamond = [
      importing('src/lib/a.ts', './b', './c'),
      importing('src/lib/b.ts', './d'),
      importing('src/lib/c.ts', './d'),
      importing('src/routeTree.gen.ts', './lib/a'),
    ]
    expect(cycles([...diamond, lazy])).toEqual([])
  })
})

const judge = (check: (modules: Module[]) => string[], path: string, text = '') =>
  check([parseModule({ path, text })])

describe('the checker of style', () => {
  test.each([
    ['barrels', barrels, 'src/ui/index.ts', `export { A } from './a'\nexport const b = 1`],
    ['barrels', barrels, 'src/ui/all.ts', `export { A } from './a'`],
    ['barrels', barrels, 'src/ui/all.ts', `export * from './a'\nexport const b = 1`],
    ['default exports', defaultExports, 'src/ui/a.ts', 'export default 1'],
    ['default exports', defaultExports, 'src/ui/a.ts', `const a = 1\nexport { a as default }`],
    ['enums', enumDeclarations, 'schemas/a.ts', 'export enum A { a }'],
    ['enums', enumDeclarations, 'schemas/a.ts', 'const enum A { a }'],
    ['names', misnamed, 'src/ui/Button.tsx', ''],
    ['names', misnamed, 'src/lib/tokyo_time.ts', ''],
    ['names', misnamed, 'src/features/safetyMeasure/a.ts', ''],
    ['length', tooLong, 'src/ui/a.ts', 'a()\n'.repeat(lineLimit + 1)],
  ])('%s: reports %#', (_, check, path, text) => {
    expect(judge(check, path, text)).toHaveLength(1)
  })

  test.each([
    [
      'a config file exports by default',
      defaultExports,
      'tests/e2e/playwright.config.ts',
      'export default 1',
    ],
    ['a route file mirrors the URL', misnamed, 'src/routes/request.$requestId.tsx', ''],
    ['a test file has a double ending', misnamed, 'tests/e2e/day.e2e.ts', ''],
    ['a generated file may be long', tooLong, 'src/routeTree.gen.ts', 'a()\n'.repeat(400)],
    ['a full file is not too long', tooLong, 'src/ui/a.ts', 'a()\n'.repeat(lineLimit)],
    [
      'an own export beside a named re-export',
      barrels,
      'src/ui/a.ts',
      `export { A } from './b'\nexport const c = 1`,
    ],
  ])('%s', (_, check, path, text) => {
    expect(judge(check, path, text)).toEqual([])
  })

  test('the top level: a stray folder and a stray file, not a dot file', () => {
    expect(strayEntries(['src/a.ts', '.ci/run', 'utils/a.ts', 'knip.json'])).toEqual(['utils', 'knip.json'])
  })

  test('a file that does not parse stops the run', () => {
    expect(() => parseModule({ path: 'src/lib/a.ts', text: 'const =' })).toThrow('src/lib/a.ts')
  })
})
