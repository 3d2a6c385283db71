/** What documents promise in names and numbers is what the code has: scripts, links, variables, fields, limits. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MOST_SAMPLES, MOST_TEXT } from '#app/diagnostics/telemetry/schedule.ts'
import { MOST_EVENTS } from '#app/diagnostics/telemetry/state.ts'
import { messages } from '#messages/messages.ts'
import * as limits from '#schemas/limits.ts'
import { CONFIG_FIELDS, CRM_FIELDS } from '#schemas/device/runtime-config.ts'
import { SUPPORT_LIST_MAX, SUPPORT_MAX } from '#schemas/device/support-file.ts'
import { LEASE_LIMIT_MS } from '#sync/leadership/lease.ts'
import { RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import { SECOND_READ_MS } from '#sync/pull/requests/request-removals.ts'
import { MAX_SERVER_ERRORS } from '#sync/changes/attempt.ts'
import { CALLS_PER_MINUTE } from '#sync/scheduler/circuit.ts'
import { CALL_TIMEOUT_MS } from '#sync/transport/http.ts'
import { OWN_RETRY_MAX_MS } from '#sync/scheduler/read-backoff.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const git = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
const paths = git.stdout.split('\0').filter((path) => path && existsSync(join(root, path)))
const documents = paths.filter((path) => path.endsWith('.md'))
const sources = paths.filter((path) => /\.(?:tsx?|mjs|sh|example)$|^\.ci\/|^\.env/.test(path))
const code = sources.map(read).join('\n')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const allIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

/** As GitHub makes an anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
const anchorsIn = (path: string) => allIn(read(path), /^#+ (.*)$/gm).map(anchorOf)

/** The links of a document that lead to no file, or to no heading of it. */
function brokenLinks(path: string): string[] {
  return allIn(read(path), /\]\(([^)\s]+)\)/g).filter((href) => {
    if (/^https?:/.test(href)) return false
    const [file = '', anchor] = href.split('#')
    const target = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsIn(target).includes(anchor)
  })
}

describe.each(documents)('%s', (path) => {
  const text = read(path)
  test('leads to what is there', () => expect(brokenLinks(path)).toEqual([]))
  test('names commands that there are', () =>
    expect(allIn(text, /npm run (?:-s )?([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([]))
  test('names variables that something reads', () =>
    expect(
      allIn(text, /\b((?:VITE|GENBA|CONFORM|RECOVER|DEMO|BENCH)_[A-Z_]+)\b/g).filter(
        (name) => !code.includes(name),
      ),
    ).toEqual([]))
  test('names messages that there are', () =>
    expect(allIn(text, /\b(ec\d{5})\b/g).filter((name) => !(name in messages))).toEqual([]))
})

describe('README and the guides', () => {
  const readme = read('README.md')
  const rowOf = (folder: string) =>
    readme.split('\n').find((line) => line.startsWith(`| \`${folder}/\``)) ?? ''
  const foldersOf = (folder: string) =>
    new Set(paths.flatMap((path) => new RegExp(`^${folder}/([^/]+)/`).exec(path)?.[1] ?? []))

  test('README has at most 100 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(100)
  })

  test('docs/operate.md names every variable of the build, and every field of config.json', () => {
    const guide = read('docs/operate.md')
    const variables = allIn(
      read('src/app/config/env.ts') + read('src/app/session/device-settings.ts'),
      /\b(VITE_[A-Z_]+)\b/g,
    )
    expect(variables.length).toBeGreaterThan(10)
    expect(variables.filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([])
    expect([...CONFIG_FIELDS, ...CRM_FIELDS].filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  })

  test('README names the folders of tests and the rooms of sync', () => {
    const named = (rowOf('tests').split('|')[2] ?? '').match(/`([^`]+)`/)?.[1]?.split(' ') ?? []
    expect(named.toSorted()).toEqual([...foldersOf('tests')].toSorted())
    expect(new Set(allIn(rowOf('sync'), /`([a-z]+)\/`/g))).toEqual(new Set(['sync', ...foldersOf('sync')]))
  })
})

test('the slow tests are all that are longer with SLOW', () => {
  const slow = paths.filter(
    (path) => /\.(?:test|e2e)\.tsx?$/.test(path) && /process\.env\['SLOW'\]|\B@slow\b/.test(read(path)),
  )
  expect(slow.length).toBeGreaterThan(10)
  const names = (scripts['test:slow'] ?? '').split(' ').filter((word) => /^[a-z/-]+$/.test(word))
  expect(slow.filter((path) => !names.some((name) => path.includes(name)))).toEqual([])
})

const count = (value: number) => value.toLocaleString('en-US')
const mega = (value: number) => value / 1_000_000
const seconds = (ms: number) => ms / 1_000
const minutes = (ms: number) => ms / 60_000

/** `npm run size` runs when it is loaded: its limits are read. */
const sizeLimits = Object.fromEntries(
  allIn(read('tests/size.mjs'), /^const limits = \{(.*)\}$/gm)
    .join('')
    .split(',')
    .map((each) => each.trim().split(': ')),
) as Record<string, string>

/** What stands in the documents, letter by letter, with the values of today. */
const said: Record<string, string[]> = {
  'docs/crm.md': [
    `文章は ${count(limits.ANSWER_TEXT_MAX)} 文字、一覧は ${count(limits.ANSWER_ROWS_MAX)} 行・${mega(limits.ANSWER_WEIGHT_MAX)} MB（一行は ${mega(limits.ANSWER_ROW_WEIGHT_MAX)} MB）、全体は ${mega(limits.ANSWER_MAX)} MB まで`,
    `信じるのは ${minutes(RETRY_AFTER_MAX_MS)} 分まで`,
  ],
  'docs/commands.md': [
    `上限 ${sizeLimits['js']} kB gzip）と CSS（${sizeLimits['css']} kB gzip）`,
    `上限 ${sizeLimits['transfer']} kB brotli・${sizeLimits['files']} ファイル`,
  ],
  'docs/speed.md': [
    `上限 ${sizeLimits['transfer']} kB・${sizeLimits['files']} ファイル、ページ ${sizeLimits['page']} kB`,
  ],
  'sync/RULES.md': [
    `a text of ${count(limits.ANSWER_TEXT_MAX)} characters`,
    `${count(limits.ANSWER_LETTERS_MAX)} letters or ${limits.ANSWER_SIGNS_MAX} signs`,
    `a list of ${count(limits.ANSWER_ROWS_MAX)} rows and ${mega(limits.ANSWER_WEIGHT_MAX)} MB`,
    `a row of ${mega(limits.ANSWER_ROW_WEIGHT_MAX)} MB`,
    `${limits.ANSWER_DEPTH_MAX} levels; ${mega(limits.ANSWER_MAX)} MB in all`,
    `${limits.RETRY_FIRST_MS} ms at first, doubling with jitter to ${seconds(limits.RETRY_MAX_MS)} s`,
    `${limits.RETRY_FIRST_MS} ms doubling to ${minutes(OWN_RETRY_MAX_MS)} minutes`,
    `at most ${CALLS_PER_MINUTE} calls in a minute`,
    `${minutes(RETRY_AFTER_MAX_MS)} minutes of it are believed`,
    `one time limit (${seconds(CALL_TIMEOUT_MS)} s) apart`,
    `at least ${seconds(SECOND_READ_MS)} seconds later`,
    `after ${seconds(limits.REFETCH_AFTER_RECONNECT_MS)} s and up to ${seconds(limits.REFETCH_SPREAD_MS)} s more`,
    `At most ${limits.READS_AT_ONCE} reads at once`,
    `up to ${limits.UPLOADS_AT_ONCE} at once`,
    `to ${limits.WINDOW_DAYS_AHEAD} days ahead`,
    `expires ${limits.EXPIRY_MS / 3_600_000} hours after`,
    `its time limit (${seconds(LEASE_LIMIT_MS)} s`,
  ],
  'docs/decisions/scheduler.md': [`${minutes(RETRY_AFTER_MAX_MS)} minutes of it are believed`],
  'docs/decisions/sending.md': [MAX_SERVER_ERRORS === 5 ? 'Five make 失敗' : 'another number'],
  'docs/support.md': [`${SUPPORT_MAX / 1_000} kB まで`, `新しい ${count(SUPPORT_LIST_MAX)} 件まで`],
  'docs/telemetry.md': [`${MOST_SAMPLES} 件、${MOST_TEXT / 1_000} KB まで。できごとは ${MOST_EVENTS} 件まで`],
}

test.each(Object.entries(said))('%s says the limits that there are', (path, phrases) => {
  const text = read(path).replace(/\n *(?=\w)/g, ' ')
  expect(phrases.filter((phrase) => !text.includes(phrase))).toEqual([])
})
