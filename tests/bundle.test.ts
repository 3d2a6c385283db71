/** `npm run bundle`: a support file as a timeline, and a clear word where it is none. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import 'temporal-polyfill/global'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  SUPPORT_KIND,
  SUPPORT_MAX,
  SUPPORT_VERSION,
  supportFile,
  type SupportFile,
} from '#schemas/device/support-file.ts'
import { READ_MAX, readSupportFile } from './bundle/read.ts'
import { timelineOf } from './bundle/timeline.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'genba-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file: SupportFile = {
  kind: SUPPORT_KIND,
  version: SUPPORT_VERSION,
  made: '2026-11-20T03:00:00.000Z',
  app: { version: '1.2.3', browser: 'Chrome 153', system: 'Android 14', online: false, installed: true },
  session: { signedIn: true, expired: false, role: 6 },
  storage: { used: 2_048, free: null, persisted: true, documents: { requests: 60, photos: 2 } },
  wait: 'unavailable',
  waits: [],
  queue: [
    {
      ...{
        change: 'c1',
        record: 'r1',
        collection: 'quickReports',
        kind: 'exit',
        state: 'failed',
        ledger: 'refused',
      },
      ...{ status: 422, reasons: ['ec00011'], otherReasons: 1, savedAt: '2026-11-20T01:00:00.000Z' },
      ...{ serverErrors: 2, offline: true, wish: 'none', heldBy: 'c9' },
    },
  ],
  moves: [
    {
      ...{ at: '2026-11-20T01:00:02.000Z', change: 'c1', collection: 'quickReports', kind: 'exit' },
      ...{ from: 'sending', to: 'refused', status: 422, serverErrors: 2, wish: 'none' },
    },
  ],
  calls: [
    {
      ...{ at: '2026-11-20T01:00:01.000Z', method: 'PUT', path: '{rest}/quickReport/{}', status: 422 },
      ...{ ms: 312, sent: 120, received: 40 },
    },
    {
      ...{ at: '2026-11-20T00:59:00.000Z', method: 'GET', path: '{rest}/request/search', status: 0 },
      ...{ ms: 20_000, sent: 0, received: 0 },
    },
  ],
  figures: [{ name: 'INP', unit: 'ms', count: 4, lastDay: 3, median: 60, p75: 80, p98: 410, rating: 'good' }],
  measured: [{ at: '2026-11-20T01:00:00.500Z', name: 'app:save', value: 41, route: '/quickReport/$id/edit' }],
  errors: [
    {
      at: '2026-11-20T00:00:00.000Z',
      message: 'HTTP 502',
      stack: '',
      response: '502 {rest}',
      screen: '/request',
    },
  ],
  leftOut: { calls: 12 },
}
const bytesOf = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const read = (value: unknown) => readSupportFile(bytesOf(value))

describe('[bundle] the timeline', () => {
  test('has everything with a time in order, by Tokyo’s clock, and what waits above it', () => {
    supportFile.assert(file)
    const lines = timelineOf(file)
    expect(lines.slice(lines.findIndex((line) => line.startsWith('できごと')))).toEqual([
      'できごと 6件',
      '  11-20 09:00:00 エラー HTTP 502 502 {rest} /request',
      '  11-20 09:59:00 通信 GET {rest}/request/search 返事なし 20000ms 送 0B 受 0B',
      '  11-20 10:00:00 保存 c1 quickReports exit',
      '  11-20 10:00:00 速さ app:save 41 /quickReport/$id/edit',
      '  11-20 10:00:01 通信 PUT {rest}/quickReport/{} 422 312ms 送 120B 受 40B',
      '  11-20 10:00:02 台帳 c1 quickReports exit sending → refused（422）',
    ])
    expect(lines.join('\n')).toContain(
      'c1 r1 quickReports exit failed（refused、422）保存 11-20 10:00:00 c9 を待つ、5xx 2回、圏外で保存、ec00011、CRMの文 1',
    )
    expect(lines.join('\n')).toContain('入りきらなかったもの（古い順） calls 12件')
    expect(lines.join('\n')).toContain('送信が進まない理由 unavailable')
  })

  test('nothing that a terminal would act on gets through', () => {
    const [error] = file.errors
    const nasty = { ...file, errors: [{ ...error, message: '\u001B[2J\u0007gone\nnext' }] }
    const said = read(nasty)
    if (said.kind !== 'file') throw new Error(said.problem)
    const text = timelineOf(said.file).join('\n')
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F]/)
    expect(text).toContain('gone next')
  })
})

describe('[bundle] a file that is none', () => {
  test.each<[string, unknown, RegExp]>([
    ['empty', '', /JSON として読めません/],
    ['cut short', JSON.stringify(file).slice(0, -9), /途中で切れている/],
    ['a list', [], /支援ファイルではありません/],
    ['another JSON', { name: 'genba-work', version: 1 }, /支援ファイルではありません/],
    ['a number', '7', /JSON として読めません/],
    ['of a later version', { ...file, version: 2 }, /版 2 の支援ファイル/],
    ['broken inside', { ...file, queue: [{ change: 7 }] }, /中が壊れています[^]*queue/],
    ['too large', 'x'.repeat(READ_MAX + 1), new RegExp(`${SUPPORT_MAX}`)],
  ])('%s', (_, value, problem) => {
    const said = read(value)
    expect(said.kind === 'wrong' && said.problem).toMatch(problem)
  })

  test('a file with a mark of its byte order, as a mail program leaves it, is read', () =>
    expect(read(`\uFEFF${JSON.stringify(file)}`).kind).toBe('file'))

  test('whatever JSON it is, it is read or refused, never thrown', () => {
    const withPart = fc.record({
      ...Object.fromEntries(Object.keys(file).map((name) => [name, fc.jsonValue()])),
    })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), withPart), (value) => {
        const changed = typeof value === 'object' && value !== null ? Object.assign({}, file, value) : value
        const said = read(changed)
        if (said.kind === 'file') timelineOf(said.file)
      }),
    )
  })
})

test('[bundle] npm run bundle prints it, and ends with 1 where there is nothing to print', () => {
  const good = join(folder, 'good.json')
  writeFileSync(good, JSON.stringify(file))
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'tests/bundle/bundle.mjs'), ...args], {
      cwd: root,
      encoding: 'utf8',
    })
  const printed = run(good)
  expect(printed.stdout).toContain('台帳 c1 quickReports exit sending → refused')
  expect(printed.status).toBe(0)
  const missing = run(join(folder, 'missing.json'))
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('を開けません')])
}, 60_000)
