/**
 * `npm run recipes`: does to a throw-away copy of the tree what the recipes say, letter by letter (docs/recipes), and then
 * runs the compiler and the laws there. Of the recipe for a field every step is left out once: something must notice.
 *
 *     npm run recipes               both
 *     npm run recipes -- field      one of them
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { apply, blocksOf, copyOf, filesOf } from './recipe.mjs'

const root = resolve(import.meta.dirname, '../..')
const LAWS = [
  'tests/schemas/',
  'tests/sync/merge/declared-laws.test.ts',
  'tests/demo-crm/declared-fields.test.ts',
  'tests/form/declared-forms.test.tsx',
  'tests/features/words.test.ts',
  'tests/sync/storage/stored-layouts.test.ts',
  'tests/openapi.test.ts',
]
const RECIPES = {
  field: {
    most: 6,
    laws: LAWS,
    leavesOut: true,
  },
  resource: {
    most: 12,
    laws: [
      ...LAWS,
      'tests/sync/device-note.test.ts',
      'tests/features/offline-policy-screens.test.tsx',
      'tests/app/shell/permission.test.tsx',
      'tests/app/diagnostics/support-file.test.ts',
      'tests/coverage.test.ts',
      'tests/sync/transport/call-pattern.test.ts',
      'tests/sync/merge/clear-fields.test.ts',
    ],
    leavesOut: false,
  },
}
/** What a command writes; the texts are said with the files a person writes. */
const TEXTS = 'src/locales/ja.po'

// nobody translates the example's texts; `npm run i18n` names them and goes on
process.env.UNTRANSLATED = 'allowed'

const problems = []
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : Object.keys(RECIPES)) run(name, RECIPES[name])
for (const problem of problems) console.log(problem)
if (problems.length > 0) process.exitCode = 1

function run(name, { most, laws, leavesOut }) {
  const blocks = blocksOf(readFileSync(join(root, `docs/recipes/${name}.md`), 'utf8'))
  const copy = copyOf(root, join(mkdtempSync(join(tmpdir(), 'genba-recipe-')), name))
  try {
    git(copy, 'init', '-q')
    commit(copy, 'today')
    const steps = [...new Set(blocks.map(({ step }) => step))]
    for (const step of steps) {
      apply(
        copy,
        blocks.filter((block) => block.step === step),
      )
      commit(copy, step)
    }
    count(name, most, copy, blocks, steps.length)
    const failure = notice(copy, laws) ?? unclean(copy)
    console.log(`${name}: followed to the letter: ${failure ?? 'the compiler and the laws are content'}`)
    if (failure) problems.push(`${name}: followed to the letter, and this fails: ${failure}`)
    if (leavesOut) leaveOut(name, copy, laws, steps)
  } finally {
    rmSync(resolve(copy, '..'), { recursive: true })
  }
}

/** What a person writes, and what commands write, each by its file. */
function count(name, most, copy, blocks, steps) {
  const changed = git(copy, 'diff', '--name-only', `HEAD~${steps}`).split('\n').filter(Boolean)
  const { product, tests } = filesOf(blocks)
  const written = [...product, ...changed.filter((path) => path === TEXTS)]
  const generated = changed.filter((path) => ![...written, ...tests].includes(path))
  const rows = { 'files of the product': written, tests, 'written by commands': generated }
  for (const [what, paths] of Object.entries(rows)) {
    console.log(`${name}: ${paths.length} ${what}`)
    for (const path of paths) console.log(`  ${path}`)
  }
  if (written.length > most)
    problems.push(`${name}: ${written.length} files of the product, more than ${most}`)
}

/** Each step's files are put back to what they were before it. */
function leaveOut(name, copy, laws, steps) {
  const whole = git(copy, 'rev-parse', 'HEAD').trim()
  for (const [at, step] of steps.entries()) {
    const commitOf = `${whole}~${steps.length - 1 - at}`
    const changed = git(copy, 'diff', '--name-status', '--no-renames', `${commitOf}~1`, commitOf)
    for (const line of changed.split('\n').filter(Boolean)) {
      const [kind, path] = line.split('\t')
      if (kind === 'A') rmSync(join(copy, path), { force: true })
      else git(copy, 'checkout', '-q', `${commitOf}~1`, '--', path)
    }
    const noticed = changed === '' ? 'nothing changes by it' : notice(copy, laws)
    console.log(`${name} without 「${step}」: ${noticed ?? 'NOBODY NOTICES'}`)
    if (!noticed) problems.push(`${name}: nobody notices that 「${step}」 was left out`)
    git(copy, 'reset', '-q', '--hard', whole)
    git(copy, 'clean', '-qfd')
  }
}

/** @returns what fails, in a line; null where nothing does */
function notice(copy, laws) {
  const compiler = tool(copy, 'npx', 'tsc', '-p', '.', '--noEmit')
  if (compiler) return `tsc: ${lineWith(compiler, /error TS/)}`
  const tests = tool(copy, 'npx', 'vitest', 'run', '--bail', '1', ...laws)
  if (tests) return `vitest: ${lineWith(tests, /FAIL|Error:/)}`
  const before = readFileSync(join(copy, TEXTS), 'utf8')
  const texts = tool(copy, 'npm', 'run', '-s', 'i18n')
  if (texts || readFileSync(join(copy, TEXTS), 'utf8') !== before)
    return 'i18n: src/locales/ja.po lacks a text'
  return null
}

/** @returns what of the style fails, in a line; null where nothing does */
function unclean(copy) {
  const lint = tool(copy, 'npm', 'run', '-s', 'lint')
  if (lint) return `lint: ${lineWith(lint, /,-\[|\(\d+ms\)/)}`
  const knip = tool(copy, 'npm', 'run', '-s', 'knip')
  return knip && `knip: ${lineWith(knip, /\.tsx?/)}`
}

/** @returns what it printed, where it failed */
function tool(cwd, command, ...args) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1e8 })
  return status === 0 ? null : `${stdout}\n${stderr}`
}

function lineWith(text, pattern) {
  const lines = text.split('\n').map((line) => line.trim())
  return (lines.find((line) => pattern.test(line)) ?? lines.findLast(Boolean) ?? '').slice(0, 200)
}

function git(cwd, ...args) {
  const who = ['-c', 'user.name=recipes', '-c', 'user.email=recipes@localhost', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', maxBuffer: 1e8 })
}

function commit(cwd, message) {
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '--allow-empty', '-m', message)
}
