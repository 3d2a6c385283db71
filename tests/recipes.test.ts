/**
 * The recipes of docs/recipes fit the tree as it is, and are short. That what they say compiles, and that a step left out is
 * noticed, takes a copy of the tree and minutes: `npm run recipes`, in `npm run test:slow`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declared } from '#schemas/collections/declared.ts'
import { blocksOf, filesOf, patched, renamed } from './recipes/recipe.mjs'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const recipe = (name: string) => blocksOf(read(`docs/recipes/${name}.md`))
/** The texts, which a command writes, are counted among what a person touches. */
const TEXTS = 1

describe.each([
  ['field', 6],
  ['resource', 12],
] as const)('the recipe for a %s', (name, most) => {
  const blocks = recipe(name)

  test(`touches at most ${most} files of the product`, () => {
    const { product } = filesOf(blocks)
    expect(product.length).toBeGreaterThan(3)
    expect(product.length + TEXTS).toBeLessThanOrEqual(most)
  })

  test('finds the lines that it speaks of in the files of today', () => {
    // a step of a migration is what `npm run schemas -- --bump` has written just before
    const found = blocks.filter(
      ({ kind, path }) => kind === 'diff' && !path.startsWith('schemas/migrations/'),
    )
    const after = new Map<string, string>()
    for (const block of found)
      after.set(block.path, patched(after.get(block.path) ?? read(block.path), block))
    expect(after.size).toBeGreaterThan(2)
    const made = blocks.filter(({ kind }) => kind === 'file').map(({ path }) => path)
    expect(made.filter((path) => existsSync(join(root, path)))).toEqual([])
  })

  test('is where a newcomer looks for it', () => {
    expect(read('docs/CONTRIBUTING.md')).toContain(`(recipes/${name}.md)`)
    expect(read('README.md')).toContain(`(docs/recipes/${name}.md)`)
  })
})

describe('a block of a recipe', () => {
  const path = 'a.ts'
  test('puts its lines where the lines around them stand', () => {
    expect(patched('one\ntwo\n', { path, text: ' one\n+more\n'.trimEnd() })).toBe('one\nmore\ntwo\n')
    expect(patched('one\ntwo\n', { path, text: '-one\n+1' })).toBe('1\ntwo\n')
  })
  test('is refused where those lines are not there, or twice', () => {
    expect(() => patched('two\n', { path, text: ' one\n+more' })).toThrow('0 times')
    expect(() => patched('one\none\n', { path, text: ' one\n+more' })).toThrow('2 times')
  })
})

test('the recipe for a field fits the tree once somebody has followed it', () => {
  const blocks = recipe('field').filter(
    ({ kind, path }) => kind === 'diff' && !path.startsWith('schemas/migrations/'),
  )
  const names = { name: 'liftKey', label: '昇降機の鍵' }
  const first = renamed(blocks, { name: 'siteMemo', label: '現場への連絡事項' }, names)
  const texts = new Map<string, string>()
  for (const block of [...first, ...blocks])
    texts.set(block.path, patched(texts.get(block.path) ?? read(block.path), block))
  const form = texts.get('src/features/emergency-report/emergency-form-screens.tsx') ?? ''
  expect(form).toMatch(/siteMemo[^]*liftKey/)
})

test('a recipe that begins with a command keeps it under another name (npm run new)', () => {
  const names = { name: 'liftKey', label: '昇降機の鍵' }
  const blocks = renamed(recipe('field'), { name: 'siteMemo', label: '現場への連絡事項' }, names)
  expect(blocks[0]).toMatchObject({ kind: 'commands', text: 'npm run schemas -- --bump emergencyReports' })
  expect(blocks.map(({ text }) => text).join('\n')).not.toMatch(/site-?memo|現場への連絡事項/i)
})

test('with another name nothing of the example is left (npm run new)', () => {
  const names = { name: 'tank-note', label: '水槽メモ' }
  const blocks = renamed(recipe('resource'), { name: 'device-note', label: '機器メモ' }, names)
  const said = blocks.map(({ path, text }) => path + text).join('\n')
  expect(said).not.toMatch(/device-?note|機器メモ/i)
  expect(said).toContain('src/features/tank-note/')
  expect(said).toMatch(/TankNoteForm[^]*tankNotes[^]*水槽メモ/)
})

/** Whose collection comes from the CRM alone have a slug, too. */
const SLUGS = [...Object.values(declared).map(({ slug }) => kebab(slug)), 'past-report', 'supplier-staff']
/** They speak of a resource among others, though only of one by its file: what is done of the request at the entry, for one. */
const OF_SEVERAL = [
  'schemas/changes/change-queue.ts',
  'schemas/resources/request.ts',
  'src/data/resources/change-requests.ts',
  'src/data/visits/visits.ts',
  'src/demo-crm/other-company.ts',
  'src/features/handover/handover.ts',
  'src/features/received/visit-forms.tsx',
  'src/features/request/entry/entry-sheet.tsx',
  'src/features/request/detail/request-sections.tsx',
  'src/features/request/detail/request-view.tsx',
  'src/features/request/detail/view-actions.tsx',
  'sync/runtime/start-pulls.ts',
]

function kebab(slug: string) {
  return slug.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A source and the slugs whose files it imports. */
function strays(sources: readonly { path: string; text: string }[]): string[] {
  return sources.flatMap(({ path, text }) => {
    if (SLUGS.some((slug) => path.includes(slug)) || path.endsWith('.gen.ts')) return []
    // of the collections that were ever changed, at first of one
    if (path === 'schemas/migrations/steps.ts') return []
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name)
    const spoken = SLUGS.filter((slug) => imported.some((name) => name.includes(slug)))
    return spoken.length === 1 ? [path] : []
  })
}

describe('git ls-files finds all of a resource by its slug', () => {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'sync', 'schemas'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = listed.stdout
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)))

  test('what speaks of one resource alone has its name', () => {
    const sources = paths.map((path) => ({ path, text: read(path) }))
    expect(sources.length).toBeGreaterThan(400)
    expect(strays(sources).filter((path) => !OF_SEVERAL.includes(path))).toEqual([])
    expect(OF_SEVERAL.filter((path) => !paths.includes(path))).toEqual([])
    const stray = {
      path: 'src/data/notes.ts',
      text: `import { a } from '#schemas/resources/note-location-area.ts'`,
    }
    expect(strays([stray])).toEqual([stray.path])
  })

  test.each(Object.values(declared).map(({ slug }) => kebab(slug)))(
    '*%s*: its declaration, its screens, its URLs, its rows in the demo CRM',
    (slug) => {
      const found = paths.filter((path) => path.includes(slug))
      expect(found).toEqual(
        expect.arrayContaining([
          `schemas/resources/${slug}.ts`,
          `src/demo-crm/resources/${slug}.ts`,
          expect.stringMatching(`^src/features/${slug}/`),
          expect.stringMatching(`^src/routes/_app/\\(${slug}\\)/`),
        ]),
      )
    },
  )
})
