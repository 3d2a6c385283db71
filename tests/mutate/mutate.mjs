/**
 * `npm run mutate`: StrykerJS over the pure cores, each file with its own tests only (`table.mjs`), and the score of each as
 * a table. `npm run mutate -- sync/merge/merge.ts` runs only the files named, and prints each mutant that survived.
 * `--write` stores what was found in the table of docs/generated/mutants.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { GOAL, table } from './table.mjs'

const root = resolve(import.meta.dirname, '../..')
const page = join(root, 'docs/generated/mutants.md')
const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const unknown = named.filter((file) => !(file in table))
if (unknown.length > 0) throw new Error(`not in tests/mutate/table.mjs: ${unknown.join(' ')}`)

/** Runs Stryker over one file. @returns its mutants, or null where it could not be run */
function mutantsOf(file, dir) {
  const report = join(dir, 'report.json')
  const config = JSON.parse(readFileSync(join(root, 'tests/mutate/stryker.config.json'), 'utf8'))
  const own = { mutate: [file], jsonReporter: { fileName: report }, tempDirName: join(dir, 'sandbox') }
  const path = join(dir, 'stryker.json')
  writeFileSync(path, JSON.stringify({ ...config, ...own, concurrency: 2 }))
  const { status, stdout } = spawnSync('npx', ['stryker', 'run', path], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, MUTATE_TESTS: table[file].join(',') },
  })
  if (status !== 0 || named.length > 0) console.log(stdout)
  return status === 0 ? Object.values(JSON.parse(readFileSync(report, 'utf8')).files)[0].mutants : null
}

/** Counts as Stryker does: a time-out is noticed, what does not compile and what is ignored does not count. */
function scoreOf(mutants) {
  const count = (...states) => mutants.filter(({ status }) => states.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const all = noticed + count('Survived', 'NoCoverage')
  return { noticed, all, ignored: count('Ignored'), percent: all === 0 ? 100 : (noticed / all) * 100 }
}

const rows = []
for (const file of named.length > 0 ? named : Object.keys(table)) {
  const dir = mkdtempSync(join(tmpdir(), 'mutate-'))
  const begin = performance.now()
  const mutants = mutantsOf(file, dir)
  rmSync(dir, { recursive: true, force: true })
  const seconds = (performance.now() - begin) / 1000
  rows.push({
    file,
    seconds,
    ...(mutants ? scoreOf(mutants) : { noticed: 0, all: 0, ignored: 0, percent: 0 }),
  })
}

const cellsOf = ({ file, noticed, all, ignored, percent }) =>
  `| ${file === 'all' ? '**all**' : `\`${file}\``} | ${all} | ${noticed} | ${ignored} | ${percent.toFixed(1)} % |`

/** The rows as a table, with their sum. */
function tableOf(some) {
  const sum = (key) => some.reduce((total, row) => total + row[key], 0)
  const total = { file: 'all', noticed: sum('noticed'), all: sum('all'), ignored: sum('ignored') }
  return [...some, { ...total, percent: (total.noticed / total.all) * 100 }].map(cellsOf)
}

/** What the page says of a file that was not mutated now. */
function saidOf(file, text) {
  const [, ...cells] =
    text
      .split('\n')
      .find((line) => line.startsWith(`| \`${file}\` |`))
      ?.split('|') ?? []
  const [all, noticed, ignored, percent] = cells.slice(1).map((cell) => Number.parseFloat(cell))
  return cells.length === 0 ? null : { file, all, noticed, ignored, percent }
}

const seconds = rows.reduce((total, row) => total + row.seconds, 0)
console.log(
  ['| file | mutants | noticed | left out | score |', '|---|---|---|---|---|', ...tableOf(rows)].join('\n'),
)
console.log(`${seconds.toFixed(0)} s`)
if (args.includes('--write')) {
  const text = readFileSync(page, 'utf8')
  const [head = ''] = text.split('| ファイル |')
  const names = '| ファイル | 変異 | 気づいた | 除いた | 割合 |\n|---|---|---|---|---|\n'
  const known = Object.keys(table).map((file) => rows.find((row) => row.file === file) ?? saidOf(file, text))
  writeFileSync(page, `${head}${names}${tableOf(known.filter((row) => row !== null)).join('\n')}\n`)
}
const low = rows.filter(({ percent }) => percent < GOAL)
if (low.length > 0) {
  console.log(`under ${GOAL} %: ${low.map(({ file }) => file).join(' ')}`)
  process.exitCode = 1
}
