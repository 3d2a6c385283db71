import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createErrorLog } from '#app/diagnostics/error-log.ts'
import { errorLogText } from '#app/diagnostics/error-text.ts'
import { watchedFetch, watchUncaught } from '#app/diagnostics/watch-errors.ts'
import { ANSWER_MAX } from '#schemas/limits.ts'
import type { Session } from '#schemas/device/session.ts'
import { readBody } from '#sync/transport/parse-json.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36'
const session: Session = {
  accessToken: 'secret-access',
  refreshToken: 'secret-refresh',
  userInfo: { id: 'u6', userFlag: 6, loginUserName: '大西 修' },
  userName: 'demo6',
  expired: false,
}

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

const newLog = (signedIn: Session | null = session) =>
  createErrorLog({
    now: () => NOW,
    session: () => signedIn,
    agent: ANDROID,
    screen: () => '/request',
    scope: '',
  })

describe('[spec 8] the error log', () => {
  test('an entry has time, user, message, stack, response, browser and system, and no secret', async () => {
    const log = newLog()
    await log.add(new TypeError('x is undefined'), '500 /api/v1/crm-rest/spa/request/1\n4 bytes')
    const [entry] = await log.read()
    expect(entry).toMatchObject({
      at: '2026-11-20T03:00:00.000Z',
      user: 'u6 6 大西 修',
      message: 'TypeError: x is undefined',
      response: '500 /api/v1/crm-rest/spa/request/1\n4 bytes',
      screen: '/request',
    })
    expect(entry?.stack).toContain('error-log.test')
    const text = errorLogText(await log.read())
    expect(text).toContain('browser: Chrome 153.0.0.0\nos: Android 14')
    expect(text).not.toContain('secret')
  })

  test('a text, and nobody signed in', async () => {
    const log = newLog(null)
    await log.add('設定 VITE_API_ENDPOINT がありません')
    expect(await log.read()).toMatchObject([
      { message: '設定 VITE_API_ENDPOINT がありません', user: '', stack: '' },
    ])
  })

  test('is bounded in number, the oldest go; and in length', async () => {
    const log = newLog()
    for (let n = 1; n <= 203; n += 1) await log.add(`error ${n}`)
    const entries = await log.read()
    expect(entries).toHaveLength(200)
    expect([entries[0]?.message, entries.at(-1)?.message]).toEqual(['error 4', 'error 203'])
    await log.add('x'.repeat(10_000), 'y'.repeat(10_000))
    const last = (await log.read()).at(-1)
    expect([last?.message.length, last?.response.length]).toEqual([4_000, 4_000])
  })

  test('the count is null until it was read, then follows', async () => {
    const log = newLog()
    expect(log.count.get()).toBeNull()
    await vi.waitFor(() => expect(log.count.get()).toBe(0))
    await log.add('one')
    expect(log.count.get()).toBe(1)
    await log.remove(await log.read())
    expect(log.count.get()).toBe(0)
  })

  test('[EX7] one for each user: nobody reads another’s, and it is there when its user comes back', async () => {
    let signedIn: Session | null = session
    let now = NOW
    const log = createErrorLog({
      now: () => now,
      session: () => signedIn,
      agent: '',
      screen: () => '/',
      scope: '',
    })
    await log.add('of u6')
    signedIn = { ...session, userInfo: { ...session.userInfo, id: 'u5' } }
    await log.recount()
    expect([log.count.get(), await log.read()]).toEqual([0, []])
    signedIn = null
    now += 1
    await log.add('of nobody')
    signedIn = session
    await log.recount()
    expect((await log.read()).map(({ message }) => message)).toEqual(['of u6', 'of nobody'])
    // the others’ leave the device a day later
    signedIn = { ...session, userInfo: { ...session.userInfo, id: 'u5' } }
    now += 24 * 3_600_000 - 1
    await log.expire()
    signedIn = session
    expect(await log.read()).toHaveLength(2)
    signedIn = null
    now += 2
    await log.expire()
    signedIn = session
    expect((await log.read()).map(({ message }) => message)).toEqual(['of nobody'])
  })

  test('[EX7] neither what a parser quotes nor the values of a query are kept', async () => {
    const log = newLog()
    const parse = (text: string) => {
      try {
        JSON.parse(text)
      } catch (error) {
        return error
      }
      return null
    }
    await log.add(parse('<html>鈴木 "一郎" 090-1234-5678'))
    await log.add(parse('{"name":鈴木 090-1234-5678}'))
    await log.add(new RangeError('Cannot parse: 鈴木一郎 090-1234-5678'))
    await log.add('storage: RangeError: invalid ISO 8601 string: 鈴木')
    await log.add('name must be a number (was "鈴木 \\"一郎\\" (090), 1")\nage must be 3 (was [1,"鈴木"])')
    await log.add('HTTP 500', '500 https://crm.test/a?name=%E9%88%B4&tel=090-1234-5678\n12 bytes')
    const text = errorLogText(await log.read())
    // the number as it is written there: a time of day may hold 090, too
    expect(text).not.toMatch(/鈴木|一郎|090[-)]|%E9/)
    expect(text).toContain('500 https://crm.test/a?name=…&tel=…\n12 bytes')
    expect(text).toContain('name must be a number (was …)\nage must be 3 (was …)')
  })

  test('what nobody caught is logged', () => {
    const target = new EventTarget() as unknown as Window
    const add = vi.fn<(error: unknown) => Promise<void>>(async () => undefined)
    const unsaved = vi.fn<(error: unknown) => void>()
    watchUncaught(target, { add }, unsaved)
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')]
    target.dispatchEvent(Object.assign(new Event('error'), { error: thrown }))
    target.dispatchEvent(Object.assign(new Event('error'), { error: undefined, message: 'Script error.' }))
    target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: rejected }))
    expect(add.mock.calls).toEqual([[thrown], ['Script error.'], [rejected]])
    expect(unsaved).not.toHaveBeenCalled()
  })

  test.each([
    ['a full device', new DOMException('', 'QuotaExceededError'), true],
    ['Dexie’s wrapping', { name: 'AbortError', inner: { name: 'QuotaExceededError' } }, true],
    ['a database that was closed', { name: 'DatabaseClosedError' }, true],
    ['RxDB’s own', { rxdb: true, name: 'RxError (CONFLICT)' }, true],
    ['a fetch that was given up', { name: 'AbortError' }, false],
    ['a chunk that did not come', new TypeError('Failed to fetch'), false],
  ])('[SV1] a save that nobody caught is told, and nothing else: %s', (_, reason, isSave) => {
    const target = new EventTarget() as unknown as Window
    const unsaved = vi.fn<(error: unknown) => void>()
    watchUncaught(target, { add: async () => undefined }, unsaved)
    target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
    target.dispatchEvent(Object.assign(new Event('error'), { error: reason }))
    expect(unsaved).toHaveBeenCalledTimes(isSave ? 2 : 0)
  })

  test.each([
    [200, false],
    [202, false],
    [204, false],
    [400, false],
    [401, false],
    [403, true],
    [404, false],
    [409, true],
    [422, false],
    [429, false],
    [498, false],
    [500, true],
    [502, true],
    [503, false],
  ])(
    '[EX7] an answer with %d is logged with its length, not its body: %s, and is still whole for who asked',
    async (status, logged) => {
      const add = vi.fn<(error: unknown, response?: string) => Promise<void>>(async () => undefined)
      const body = status === 204 ? null : 'なぜか'
      const headers = body === null ? {} : { 'content-length': '9' }
      const fetch = watchedFetch(
        async () => new Response(body, { status, headers }),
        { add },
        () => undefined,
      )
      const response = await fetch('https://crm.test/api/x')
      expect(await response.text()).toBe(body ?? '')
      if (logged)
        await vi.waitFor(() =>
          expect(add.mock.calls).toEqual([[`HTTP ${status}`, `${status} https://crm.test/api/x\n9 bytes`]]),
        )
      else expect(add).not.toHaveBeenCalled()
    },
  )

  test('[PL11] the body of an error without an end is read by nobody but who asked, and no further than that', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        if (pulled > 10_000) return controller.close()
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    const log = { add: async () => undefined }
    const fetch = watchedFetch(
      async () => new Response(endless, { status: 500 }),
      log,
      () => undefined,
    )
    const response = await fetch('https://crm.test/api/x')
    expect(await readBody(response.body, ANSWER_MAX)).toBeNull()
    await vi.waitFor(() => expect(pulled).toBeGreaterThan(ANSWER_MAX / 65_536))
    expect(pulled).toBeLessThan(ANSWER_MAX / 65_536 + 10)
  })
})
