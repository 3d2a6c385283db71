import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createErrorLog } from '#app/diagnostics/error-log.ts'
import { addressPattern, withoutIds } from '#app/diagnostics/error-text.ts'
import { openFigures } from '#app/diagnostics/figures.ts'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'
import { makeSupportFile } from '#app/diagnostics/support/gather-support.ts'
import { createRecorder } from '#app/diagnostics/recorder.ts'
import { supportFileOf, textOf, type SupportFacts } from '#app/diagnostics/support-file.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { Session } from '#schemas/device/session.ts'
import { SUPPORT_MAX, supportFile, type SupportFile } from '#schemas/device/support-file.ts'
import type { Database } from '#data/database/database.ts'
import { callPattern, endpointsOf } from '#sync/transport/endpoints.ts'
import { CANARY, canariesIn, canariesOf, storedNames } from '../../support/canaries.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { viewIn } from '../../support/stored-views.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const AGENT = 'Mozilla/5.0 (Linux; Android 14) Chrome/153.0.0.0 Mobile Safari/537.36'
const session: Session = {
  accessToken: `${CANARY}-access`,
  refreshToken: `${CANARY}-refresh`,
  userInfo: { id: `${CANARY}-user`, userFlag: 6, loginUserName: `${CANARY} 修` },
  userName: `${CANARY}-login`,
  expired: false,
}
const endpoints = endpointsOf(
  {
    apiEndpoint: '/api/v1',
    crmEndpoint: 'crm',
    securityEndpoint: 'security',
    securityKey: 'k',
    fileStoreEndpoint: '/doccloud',
  },
  'https://crm.test',
)

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

/** A device on which everything is a canary: documents, session, what was called, what went wrong. */
async function deviceOfCanaries() {
  const db = await openTestDatabase()
  for (const name of storedNames) {
    const { error } = await (db as unknown as Record<string, Database['drafts']>)[name]!.bulkInsert(
      canariesOf(name) as never,
    )
    expect(error).toEqual([])
  }
  const [change] = (await viewIn(db, 'emergencyReports')).changes
  const log = createErrorLog({
    now: () => NOW,
    session: () => session,
    agent: AGENT,
    screen: () => `/request/${CANARY}-1`,
    scope: '',
  })
  await log.add(new Error(`request/${CANARY}-1: 500`))
  await log.add(
    `emergencyReports ${CANARY}-2: 404`,
    `500 https://crm.test/api/v1/crm-rest/spa/request/${CANARY}-3\n4 bytes`,
  )
  await log.add(`${session.userInfo.id} ${session.userInfo.loginUserName}`)
  const recorder = createRecorder(log.store, () => undefined)
  const address = `${endpoints.rest}/request/${CANARY}-4?name=${CANARY}`
  const size = { status: 200, tookMs: 31, sent: 0, received: 512 }
  recorder.add('call', { method: 'GET', path: callPattern(address, endpoints), ...size })
  const row = { change: change?.id ?? '', resource: 'emergencyReports', kind: 'create' }
  recorder.add('move', { ...row, from: 'sending', to: 'refused', status: 422, serverErrors: 0, wish: 'none' })
  const figures = openFigures(
    () => NOW,
    () => undefined,
  )
  figures.add('app:save', 41, '/request/$id')
  const make = (withContents: boolean) =>
    makeSupportFile({
      now: NOW,
      app: {
        version: '1.2.3',
        browser: browserOf(AGENT),
        system: systemOf(AGENT),
        online: true,
        installed: false,
      },
      session,
      data: { db },
      storage: undefined,
      log,
      figures,
      recorder,
      waits: [{ api: 'crm', reason: 'retry-after', until: new Date(NOW).toISOString() }],
      withContents,
    })
  return { db, make }
}

describe('[EX7] a support file without the tick', () => {
  test('has no text of any field of any collection, of the session, of a call, nor of an error', async () => {
    const { make } = await deviceOfCanaries()
    const text = await make(false)
    expect(canariesIn(text)).toEqual([])
    // it would have seen them
    const told = canariesIn(await make(true))
    expect(told.length).toBeGreaterThan(50)
    for (const of of ['emergencyReports', 'quickReports', 'drafts', 'user']) expect(told.join()).toContain(of)
  })

  test('says where each change stands, what moved, what was called, how fast it was, and what went wrong', async () => {
    const { make } = await deviceOfCanaries()
    const file = supportFile.assert(JSON.parse(await make(false)))
    expect(file.waits).toEqual([{ api: 'crm', reason: 'retry-after', until: new Date(NOW).toISOString() }])
    expect(file.app).toEqual({
      version: '1.2.3',
      browser: 'Chrome 153.0.0.0',
      system: 'Android 14',
      online: true,
      installed: false,
    })
    expect(file.session).toEqual({ signedIn: true, expired: false, role: 6 })
    expect(file.storage.documents).toMatchObject({
      requests: 1,
      changes: Object.keys(declared).length,
      photos: 1,
      drafts: 1,
    })
    const refused = file.queue.find(
      ({ state, collection }) => state === 'failed' && collection === 'emergencyReports',
    )
    expect(refused).toMatchObject({
      collection: 'emergencyReports',
      kind: 'create',
      ledger: 'refused',
      status: 422,
      reasons: [],
      otherReasons: 1,
      savedAt: '2026-11-20T02:00:00.000Z',
      serverErrors: 7,
    })
    // the same change has the same name wherever it is
    expect(file.moves).toMatchObject([
      { change: refused?.change, from: 'sending', to: 'refused', status: 422 },
    ])
    expect(file.queue.map(({ collection }) => collection)).toContain('photos')
    expect(file.calls).toMatchObject([
      { method: 'GET', path: '{rest}/request/{}', status: 200, ms: 31, received: 512 },
    ])
    expect(file.figures).toMatchObject([{ name: 'app:save', median: 41 }])
    expect(file.measured).toMatchObject([{ name: 'app:save', value: 41, route: '/request/$id' }])
    expect(file.errors.map(({ message }) => message)).toEqual([
      'Error: request/{}: 500',
      'emergencyReports …: 404',
      '… …',
    ])
    expect(file.errors[1]).toMatchObject({
      response: '500 /{}/{}/{}/{}/request/{}\n4 bytes'.replace('/{}/{}/{}/{}', '/api/v1/crm-rest/spa'),
      screen: '/request/{}',
    })
    expect(file).not.toHaveProperty('contents')
  })

  test('before the data is open it says what it can', async () => {
    const none = { read: async () => [] }
    const parts = {
      now: NOW,
      app: { version: '1', browser: '', system: '', online: false, installed: true },
      session: null,
      data: null,
    }
    const text = await makeSupportFile({
      ...parts,
      storage: undefined,
      log: none,
      figures: none,
      recorder: none,
      waits: [],
      withContents: true,
    })
    expect(supportFile.assert(JSON.parse(text))).toMatchObject({
      session: { signedIn: false, role: null },
      queue: [],
      storage: { documents: {} },
    })
  })
})

const facts: SupportFacts = {
  now: NOW,
  app: { version: '1', browser: 'x', system: 'y', online: true, installed: true },
  session: { signedIn: true, expired: false, role: 6 },
  storage: { used: 1, free: 2, persisted: true, documents: {} },
  wait: '',
  waits: [],
  queue: [],
  calls: [],
  moves: [],
  figures: [],
  errors: [],
  known: [],
}
const calls = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    at: new Date(NOW - n).toISOString(),
    method: 'GET' as const,
    path: '{rest}/locationContactChangeRequest/{}',
    status: 200,
    tookMs: n,
    sent: 0,
    received: n,
  })).toReversed()
const errorEntry = (n: number) => ({
  id: `${n}`,
  at: new Date(NOW - n).toISOString(),
  message: 'x'.repeat(4_000),
  stack: 'y'.repeat(4_000),
  response: '',
  screen: '/request',
  user: '',
  agent: '',
})

describe('the size of a support file', () => {
  test('is at most 300 kB: the oldest of what is longest goes first, and is counted', () => {
    const errors = Array.from({ length: 200 }, (_, n) => errorEntry(n)).toReversed()
    const file = supportFileOf({ ...facts, calls: calls(2_500), errors })
    const text = textOf(file)
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(SUPPORT_MAX)
    const cut: SupportFile = supportFile.assert(JSON.parse(text))
    expect(cut.leftOut['errors']).toBeGreaterThan(100)
    expect(cut.errors.length + (cut.leftOut['errors'] ?? 0)).toBe(200)
    expect(cut.calls.at(-1)?.at).toBe(new Date(NOW).toISOString())
    expect(cut.errors.at(-1)?.at).toBe(new Date(NOW).toISOString())
  })

  test('also with contents, and in letters of three bytes', () => {
    const records = Array.from({ length: 300 }, (_, n) => ({ n, text: 'あ'.repeat(1_000) }))
    const contents = { user: {}, records, ledger: [], drafts: [], errors: [] }
    const text = textOf(supportFileOf({ ...facts, contents }))
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(SUPPORT_MAX)
    const cut = supportFile.assert(JSON.parse(text))
    expect(cut.contents?.records.length).toBeGreaterThan(30)
    expect(cut.leftOut['contents.records']).toBe(300 - (cut.contents?.records.length ?? 0))
  })
})

describe('[EX7] a line of the error log', () => {
  test.each([
    ['TypeError: x is undefined', 'TypeError: x is undefined'],
    ['HTTP 502', 'HTTP 502'],
    ['refused: ec00011', 'refused: ec00011'],
    ['quickReport/R-100: rows[3].time must be a time', 'quickReport/{}: rows[3].time must be a time'],
    ['safety 9a1b2c3d-0000-4000-8000-000000000000: 500', 'safety …: 500'],
    ['電話 03-1234-5678', '電話 …'],
    [
      '    at save (https://app.test/assets/index-qR87GLyk.js:12:3456)',
      '    at save (/assets/index-qR87GLyk.js:12:3456)',
    ],
    [
      '500 https://crm.test/api/v1/crm-rest/spa/request/Sato?day=…\n4 bytes',
      '500 /api/v1/crm-rest/spa/request/{}\n4 bytes',
    ],
  ])('%s', (line, expected) => expect(withoutIds(line)).toBe(expected))

  test('what is known to be a name goes wherever it stands', () => {
    expect(withoutIds('大西 修 said no to Sato', ['大西 修', 'Sato'])).toBe('… said no to …')
  })

  test('no id in an address gets through, whatever it looks like', () => {
    const id = fc
      .stringMatching(/^[A-Za-z0-9_-]{5,20}$/)
      .filter((text) => addressPattern(`/${text}`) === '/{}' || !/^[a-z]+$/i.test(text))
    fc.assert(
      fc.property(id, (text) => {
        const line = withoutIds(`GET https://crm.test/api/v1/crm-rest/spa/request/${text}/edit failed`)
        expect(line).toBe('GET /api/v1/crm-rest/spa/request/{}/edit failed')
      }),
    )
  })

  test('the words of every route are known', () => {
    const generated = readFileSync(join(import.meta.dirname, '../../../src/routeTree.gen.ts'), 'utf8')
    const byPath = /interface FileRoutesByFullPath \{([^}]*)\}/.exec(generated)?.[1] ?? ''
    const routes = [...byPath.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
    expect(routes.length).toBeGreaterThan(25)
    for (const route of routes) {
      const address = route.replaceAll(/\$\w+/g, 'a-1')
      expect(addressPattern(address)).toBe(route.replaceAll(/\$\w+/g, '{}'))
    }
  })

  test('and those of every path of the contract', () => {
    const openapi = readFileSync(join(import.meta.dirname, '../../../docs/generated/openapi.json'), 'utf8')
    const paths = Object.keys((JSON.parse(openapi) as { paths: object }).paths)
    for (const path of paths.filter((each) => !each.startsWith('/doccloud')))
      expect(addressPattern(path.replaceAll(/\{\w+\}/g, 'a-1'))).toBe(path.replaceAll(/\{\w+\}/g, '{}'))
  })
})
