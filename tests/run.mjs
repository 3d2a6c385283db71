/**
 * `npm test`: every check in order, each step's output as it comes, then the time of each step and,
 * as the very last line, `N passed, N failed` (and `, N skipped`). A tool counts as one, tests count singly.
 *
 * - A failed step does not stop the others; only what needs the production build waits for it.
 * - Steps that leave a core idle run in pairs: the second one's output comes when the first has ended.
 * - A step that ends badly without saying which test failed counts as one failed: never silently 0.
 * - What failed, and what passed only when it ran again, is named once more at the end: a log's end is what one sees.
 *
 * `node tests/run.mjs unit size` runs only the named steps.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'genba-work-'))
const env = {
  ...process.env,
  PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH,
  // the browser tests go through the production build against the demo CRM
  DEMO_VALUES: '1',
}
const stepLimit = 40 * 60_000

/** Runs a command with its output shown (unless `hush`); gives its exit code and what it printed (when `keep` or `hush`). */
function run(command, args, { keep = false, hush = false, ...options } = {}) {
  return new Promise((done) => {
    const shown = keep || hush ? 'pipe' : 'inherit'
    const stdio = ['ignore', shown, shown]
    const child = spawn(command, args, { cwd: root, env, stdio, ...options })
    let printed = ''
    for (const name of ['stdout', 'stderr'])
      child[name]?.on('data', (data) => {
        if (!hush) process[name].write(data)
        printed += data
      })
    const soft = setTimeout(() => {
      console.log(`${command} took longer than ${stepLimit / 60_000} minutes: stopped`)
      child.kill('SIGINT') // Playwright stops its server on SIGINT
    }, stepLimit)
    const hard = setTimeout(() => child.kill('SIGKILL'), stepLimit + 15_000)
    const end = (code) => {
      clearTimeout(soft)
      clearTimeout(hard)
      done({ code: code ?? 1, printed })
    }
    child.on('error', (error) => {
      console.log(String(error))
      end(1)
    })
    child.on('close', end)
  })
}

const passed = { passed: 1, failed: 0, skipped: 0 }
const failed = { passed: 0, failed: 1, skipped: 0 }
const skipped = { passed: 0, failed: 0, skipped: 1 }
const plus = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})
/** Lines for the end: `failed: …` and `passed when it ran again: …`. */
const notes = []
const note = (what, where, title, messages = []) =>
  notes.push(`${what}: ${relative(root, where)} › ${title}`, ...messages.flatMap(firstLines))

/** The first lines of an error, without colours. */
const firstLines = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim())
    .slice(0, 8)
    .map((line) => `    ${line.slice(0, 300)}`)

const verdictOf = ({ code, counts }) => counts ?? (code === 0 ? passed : failed)
const tool = async (command, ...args) => verdictOf(await run(command, args))

/** Begins at once, and is shown when what it gives is called. */
function beside(begin) {
  const ended = begin()
  return async () => {
    const result = await ended
    process.stdout.write(result.printed)
    return verdictOf(result)
  }
}

let extracting
/** The texts, once for all steps that read the catalogues. */
const extract = () => (extracting ??= run('npm', ['run', '-s', 'i18n'], { hush: true }))

async function build(hush, ...args) {
  const texts = await extract()
  if (texts.code === 0) return run('vite', ['build', ...args], { hush })
  if (!hush) process.stdout.write(texts.printed)
  return texts
}

function skip(reason) {
  console.log(`skipped: ${reason}`)
  return skipped
}

/** A bad exit code, or no test at all, is a failure even where the report names none. */
function count(code, tests) {
  const nothing = tests.passed + tests.failed + tests.skipped === 0
  if (tests.failed === 0 && (code !== 0 || nothing)) {
    console.log(nothing ? 'no test was reported: counted as failed' : `exit code ${code}: counted as failed`)
    return { ...tests, failed: 1 }
  }
  return tests
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.log(`no report in ${file}: ${String(error)}`)
    return undefined
  }
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

/** lingui extract must change nothing: a message outside the catalogue shows as a hash in the production build. */
async function catalogues() {
  if (git('rev-parse', '--is-inside-work-tree').status !== 0)
    return { printed: 'skipped: not a git checkout\n', counts: skipped }
  const texts = await extract()
  if (texts.code !== 0) return texts
  const changed = git('diff', '--name-only', '--', 'src/locales').stdout
  const added = git('ls-files', '--others', '--exclude-standard', '--', 'src/locales').stdout
  if (!changed && !added) return texts
  const diff = git('diff', '--stat', '-p', '-U0', '--', 'src/locales').stdout.split('\n').slice(0, 40)
  const said =
    'The catalogues in src/locales differ from what git has: look at them, then git add (or commit):'
  return { code: 1, printed: [texts.printed, ...diff, said, changed + added].join('\n') }
}

/**
 * Two runs of vitest side by side on two cores, each with processes of its own: half of the tests' time is waiting for
 * timers, which the others use, and what draws screens is loaded by two processes only. The first is shown as it runs.
 */
const HALVES = [
  ['--project', 'node', '--project', 'sync', '--maxWorkers=4'],
  ['--project', 'dom', '--project', 'pure', '--maxWorkers=2'],
]

/** One run of vitest: what it counted, the files in which something failed, and what it printed. */
async function vitest(chosen, hush) {
  const file = join(scratch, `vitest-${hush}.json`)
  rmSync(file, { force: true })
  const args = ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, printed } = await run('vitest', args, { keep: true, hush })
  const report = readReport(file)
  if (!report) return { counts: failed, files: [], tests: [], printed }
  const stray = strayErrors(printed)
  const bad = report.testResults.filter(({ status }) => status === 'failed')
  // a file that does not load has no failed test of its own
  const broken = bad.filter(({ assertionResults }) =>
    assertionResults.every(({ status }) => status !== 'failed'),
  )
  const tests = bad.flatMap(({ name, message, assertionResults }) => {
    const own = assertionResults.filter(({ status }) => status === 'failed')
    return own.length > 0
      ? own.map(({ fullName, failureMessages }) => [name, fullName, failureMessages])
      : [[name, 'the file itself', [message]]]
  })
  const counts = count(code, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  })
  const names = new Set([...bad.map(({ name }) => name), ...stray.map(([name]) => name)])
  return { counts, files: [...names], tests: [...tests, ...stray], printed }
}

/** Errors that Vitest caught outside of any test: the file during which each came, and what it says. */
function strayErrors(printed) {
  const [, report] = stripVTControlCharacters(printed).split('Unhandled Errors')
  const each = (report ?? '').split(/originated in "(.+?)" test file/)
  return each.flatMap((name, i) =>
    i % 2 ? [[join(root, name), 'an error outside of the tests', [each[i - 1]]]] : [],
  )
}

/**
 * CI's machine is at times busy with others. There a file with a failed test runs once more, alone; what passes then is
 * passed, and named at the end.
 */
async function unit() {
  const halves = await Promise.all(HALVES.map((half, at) => vitest(half, at > 0)))
  for (const { printed } of halves.slice(1)) process.stdout.write(printed)
  const [files, tests] = [halves.flatMap((half) => half.files), halves.flatMap((half) => half.tests)]
  const counts = halves.map((half) => half.counts).reduce(plus)
  const again = env.CI && files.length > 0 && files.length <= 3
  if (again) console.log(`\nagain, alone: ${files.map((file) => relative(root, file)).join(' ')}`)
  const passedAgain = again && (await vitest([...files, '--maxWorkers=2'], false)).counts.failed === 0
  if (counts.failed > tests.length) note('failed', root, 'a bad exit: see above')
  for (const test of tests) note(passedAgain ? 'passed when it ran again' : 'failed', ...test)
  if (!passedAgain) return counts
  return { ...counts, passed: counts.passed + counts.failed, failed: 0 }
}

/** Every test of a Playwright report, through its nested suites. */
const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)]

async function endToEnd() {
  const file = join(root, 'test-results/e2e.json')
  rmSync(file, { force: true }) // an old report must not be counted
  const { code } = await run('playwright', ['test', '-c', 'tests/e2e/playwright.config.ts'])
  const report = readReport(file)
  if (!report) return failed
  for (const spec of specs(report)) {
    for (const { status, results } of spec.tests) {
      if (status !== 'flaky' && status !== 'unexpected') continue
      const errors = results.flatMap(({ error }) => (error?.message ? [error.message] : []))
      note(
        status === 'flaky' ? 'passed when it ran again' : 'failed',
        join(root, 'tests/e2e', spec.file),
        spec.title,
        errors.slice(0, 1),
      )
    }
  }
  const { expected, flaky, unexpected, skipped: left } = report.stats
  return count(code, { passed: expected + flaky, failed: unexpected + report.errors.length, skipped: left })
}

/** What has `begin` begins with the step before it, where both are wanted: it is of one thread, and writes no file of that one. */
const steps = [
  { name: 'typecheck', work: () => tool('npm', 'run', '-s', 'typecheck') },
  { name: 'i18n', begin: catalogues },
  { name: 'lint', work: () => tool('npm', 'run', '-s', 'lint') },
  { name: 'knip', begin: () => run('npm', ['run', '-s', 'knip'], { hush: true }) },
  { name: 'unit', work: unit },
  { name: 'build', work: async () => verdictOf(await build(false, '--mode', 'production')) },
  { name: 'demo', begin: () => build(true, '--mode', 'demo', '--outDir', 'dist-demo') },
  { name: 'size', work: () => tool('npm', 'run', '-s', 'size'), needsBuild: true },
  { name: 'e2e', work: endToEnd, needsBuild: true },
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
const results = []
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
let second
for (const [at, step] of chosen.entries()) {
  const begin = performance.now()
  const work = second ?? step.work ?? beside(step.begin)
  const next = chosen[at + 1]
  second = next?.begin && beside(next.begin)
  console.log(`\n=== ${step.name}`)
  const noBuild = step.needsBuild && results.some(({ name, failed: bad }) => name === 'build' && bad)
  const result = noBuild ? skip('the production build failed') : await work()
  results.push({ name: step.name, seconds: (performance.now() - begin) / 1000, ...result })
}
if (existsSync(scratch)) rmSync(scratch, { recursive: true })

console.log('')
for (const { name, seconds, ...result } of results) {
  const verdict = result.failed ? 'FAILED' : result.passed ? 'ok' : 'skipped'
  const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`
  console.log(`${name.padEnd(10)} ${verdict.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s   ${counts}`)
}
for (const name of unknown)
  console.log(`there is no step ${name}: ${steps.map((step) => step.name).join(' ')}`)

for (const line of notes) console.log(line)

const sum = (key) => results.reduce((total, result) => total + result[key], 0)
const failures = sum('failed') + unknown.length
if (failures > 0) process.exitCode = 1
const skippedNote = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`${sum('passed')} passed, ${failures} failed${skippedNote}`)
