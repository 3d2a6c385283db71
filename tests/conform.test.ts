/** The conformance test itself: the demo CRM passes it, every broken one is found by the clause that names it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkConfig } from '#schemas/device/runtime-config.ts'
import { clauses, clauseTable, groups } from './conform/clauses.ts'
import { APP_ORIGIN, demoNow, env, hostDemoCrm, type Hosted, type Layer } from './conform/demo-host.ts'
import { parseOptions, type ConformOptions } from './conform/options.ts'
import { junitOf, summaryOf } from './conform/report.ts'
import { conform, type Outcome } from './conform/run.ts'
import { variants } from './conform/variants.ts'

const stops: Hosted[] = []
afterEach(() => {
  for (const { stop } of stops.splice(0)) stop()
})

async function host(...args: Parameters<typeof hostDemoCrm>): Promise<string> {
  const hosted = await hostDemoCrm(...args)
  stops.push(hosted)
  return hosted.origin
}

const optionsFor = (url: string, more: Partial<ConformOptions> = {}): ConformOptions => ({
  ...env,
  url,
  user: 'demo6',
  password: 'password',
  full: true,
  only: [],
  requests: [],
  origin: APP_ORIGIN,
  host: '',
  timeoutMs: 10_000,
  burst: 60,
  imageSizeLimit: 10,
  junit: '',
  ...more,
})

type Ran = Extract<Outcome, { kind: 'ran' }>
async function ran(options: ConformOptions): Promise<Ran> {
  const outcome = await conform(options, () => {}, demoNow)
  if (outcome.kind !== 'ran') throw new Error(outcome.problem)
  return outcome
}
const ends = ({ findings }: Ran) =>
  findings.map(({ clause, verdict, message }) => `${clause.id} ${verdict} ${message}`)

describe('the demo CRM over node:http', () => {
  test('passes every clause, and its files are deleted again', async () => {
    const outcome = await ran(optionsFor(await host({}, { isLimited: true })))
    expect(ends(outcome).filter((line) => !line.endsWith(' pass '))).toEqual([])
    expect(outcome.findings).toHaveLength(clauses.length)
    expect(outcome.made.map(({ what }) => what)).not.toContain('写真')
    expect(outcome.made.length).toBeGreaterThan(5)
  })

  test('with times in Z it passes as well', async () => {
    const outcome = await ran(optionsFor(await host({ timesInZ: true }), { origin: '', burst: 0 }))
    expect(ends(outcome).filter((line) => / (?:fail|lack) /.test(line))).toEqual([])
  })

  test.each([
    ['without --full', { full: false }],
    ['with --full and a --request that is not there', { requests: ['no-such-request'] }],
  ])('%s nothing is written', async (_, more) => {
    const done = new Set<string>()
    const layer: Layer = (next) => async (request) => {
      const response = await next(request)
      if (request.method !== 'GET' && response.ok)
        done.add(`${request.method} ${new URL(request.url).pathname.split('/').at(-1)}`)
      return response
    }
    const url = await host({}, { layer })
    const outcome = await ran(optionsFor(url, { ...more, burst: 0 }))
    expect([...done].toSorted()).toEqual(['POST login', 'POST refresh-token', 'POST token'])
    expect(outcome.made).toEqual([])
    expect(ends(outcome).filter((line) => / (?:fail|lack) /.test(line))).toEqual([])
  })
})

describe('a broken CRM is found by the clause that names it', () => {
  test.each(variants)('$caughtBy $verdict: $name', async ({ caughtBy, verdict, options, ...between }) => {
    // J: too many calls
    const url = await host(options, { ...between, isLimited: caughtBy.startsWith('J') })
    const outcome = await ran(optionsFor(url, { only: [caughtBy] }))
    expect(
      outcome.findings.map(({ clause, ...finding }) => [clause.id, finding.verdict, finding.message]),
    ).toEqual([[caughtBy, verdict, expect.stringMatching(/./)]])
  })

  test('every clause has one', () => {
    const caught = new Set(variants.map(({ caughtBy }) => caughtBy))
    expect(clauses.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([])
  })
})

describe('the clauses', () => {
  test('have numbers of their own, a group, and what the app does without a wish', () => {
    const ids = clauses.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !(id.charAt(0) in groups))).toEqual([])
    expect(
      clauses.filter(({ level, without }) => (level === 'wish') !== Boolean(without)).map(({ id }) => id),
    ).toEqual([])
  })

  test('stand in the page for the CRM’s people', () => {
    expect(readFileSync(join(import.meta.dirname, '../docs/generated/clauses.md'), 'utf8')).toContain(
      clauseTable(),
    )
  })
})

describe('what is said', () => {
  test('of a CRM without ETag and keys: what the app does then', async () => {
    const url = await host({ etags: false, honourIdempotency: false })
    const text = summaryOf(await ran(optionsFor(url, { only: ['C1', 'E1', 'B1'] })))
    expect(text).toContain('毎回全部を読みます')
    expect(text).toContain('読み戻してから送り直します')
    expect(text).toContain('合格 1、不合格 0、なし 2、未確認 0')
    expect(text).toMatch(/現場メモ {2}nt\./)
  })

  test('as JUnit, with what XML cannot have taken out', async () => {
    const outcome = await ran(optionsFor(await host(), { only: ['B1', 'H15'] }))
    const [first, second] = outcome.findings
    if (!first || !second) throw new Error('two clauses')
    const findings = [{ ...first, verdict: 'fail' as const, message: '"<b>\u0000\ud800&' }, second]
    const xml = junitOf({ ...outcome, findings })
    expect(xml).toContain('tests="2" failures="1" errors="0" skipped="0"')
    expect(xml).toContain('<failure message="不合格：&quot;&lt;b&gt;??&amp;"/>')
    expect(new DOMParserLike(xml).isBalanced()).toBe(true)
  })

  test.each([
    ['a wrong password', { password: 'wrong' }, 'ログインできません（400）'],
    ['a wrong key', { securityKey: 'other' }, '署名の鍵'],
    ['another path', { crmEndpoint: 'elsewhere' }, 'ログインの住所'],
  ])('of %s', async (_, more, said) => {
    const outcome = await conform(optionsFor(await host(), more))
    expect(outcome).toEqual({ kind: 'stopped', problem: expect.stringContaining(said) })
  })

  test('of a host that does not answer', async () => {
    const hosted = await hostDemoCrm()
    hosted.stop()
    const outcome = await conform(optionsFor(hosted.origin))
    expect(outcome).toEqual({
      kind: 'stopped',
      problem: expect.stringContaining('応答がありません（ECONNREFUSED）'),
    })
  })
})

/** Whether every tag that is opened is closed. */
class DOMParserLike {
  readonly #xml: string
  constructor(xml: string) {
    this.#xml = xml
  }
  isBalanced(): boolean {
    const open: string[] = []
    for (const [, close, name = '', self] of this.#xml.matchAll(/<(\/?)(\w+)(?:\s+\w+="[^"<]*")*\s*(\/?)>/g))
      if (close) {
        if (open.pop() !== name) return false
      } else if (!self) open.push(name)
    return open.length === 0
  }
}

describe('the arguments', () => {
  const given = ['--url', 'https://crm.example', '--user', 'u', '--password', 'p', '--key', 'k']
  const problems = (args: string[], more = {}) => {
    const parsed = parseOptions(args, more, () => '{"crmEndpoint":"a b"}')
    return parsed.kind === 'wrong' ? parsed.problems.join(' ') : parsed.kind
  }

  test('password and key may come from the environment, and nothing else is wrong', () => {
    const parsed = parseOptions(given.slice(0, 4), { CONFORM_PASSWORD: 'p', CONFORM_KEY: 'k' })
    expect(parsed).toMatchObject({
      kind: 'options',
      options: { password: 'p', securityKey: 'k', full: false, timeoutMs: 20_000 },
    })
    expect(problems(['--help'])).toBe('help')
  })

  test('config.json of the app gives the addresses', () => {
    const parsed = parseOptions(
      [...given, '--config', 'c'],
      {},
      () => '{"apiEndpoint":"/crm/v1","appName":"x"}',
    )
    expect(parsed).toMatchObject({
      kind: 'options',
      options: { apiEndpoint: '/crm/v1', fileStoreEndpoint: '/doccloud' },
    })
  })

  test('what the app takes of config.json is taken', () => {
    const config = { imageSizeLimit: 100, securityKey: 'k'.repeat(200), crmEndpoint: 'c'.repeat(64) }
    expect(checkConfig(config).config).toEqual(config)
    const parsed = parseOptions([...given, '--config', 'c'], {}, () => JSON.stringify(config))
    expect(parsed).toMatchObject({ kind: 'options', options: { imageSizeLimit: 100 } })
  })

  test('a config of several CRMs is named: which one is meant, nobody knows', () => {
    const text = readFileSync(join(import.meta.dirname, '../deploy/config.several.json'), 'utf8')
    const parsed = parseOptions([...given, '--config', 'c'], {}, () => text)
    expect(parsed).toMatchObject({ kind: 'wrong', problems: [expect.stringContaining('crms')] })
  })

  test.each([
    [[], '--url がありません。 --user がありません。'],
    [given.slice(0, 4), 'CONFORM_PASSWORD'],
    [given.slice(0, 6), 'CONFORM_KEY'],
    [[...given, '--url', 'ftp://x'], '--url は https://'],
    [[...given, '--url', 'https://x/api'], '住所の頭だけ'],
    [[...given, '--burst', '501'], '--burst は 0 から 500'],
    [[...given, '--timeout', '1.5'], '--timeout は 1 から 120'],
    [[...given, '--only', 'B2;E1'], '--only が正しくありません'],
    [[...given, '--nothing'], '引数が正しくありません'],
    [[...given, '--config', 'c'], '設定の crmEndpoint'],
  ])('%j', (args, said) => {
    expect(problems(args)).toContain(said)
  })

  test('a config that is no JSON is named', () => {
    const parsed = parseOptions([...given, '--config', 'c.json'], {}, () => '<!doctype html>')
    expect(parsed).toEqual({ kind: 'wrong', problems: ['--config c.json を JSON として読めません。'] })
  })
})
