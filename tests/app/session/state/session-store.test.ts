import { IDBDatabase as FakeDatabase, IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { guardBfcache } from '#app/startup/bfcache-guard.ts'
import { openSessions } from '#app/session/state/session-store.ts'

const sessionOf = (number: number, id = 'u-1'): Session => ({
  userName: 'demo6',
  expired: false,
  accessToken: `at-${number}`,
  refreshToken: `rt-${number}`,
  userInfo: { id, userFlag: 6, loginUserName: '佐々木 翔' },
})
const [FIRST, RENEWED] = [sessionOf(1), sessionOf(2)]

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('indexedDB', new IDBFactory())
})
const begin = FakeDatabase.prototype.transaction
afterEach(() => {
  FakeDatabase.prototype.transaction = begin
  vi.unstubAllGlobals()
})

async function signedIn() {
  const sessions = await openSessions('')
  await sessions.write(FIRST)
  return sessions
}

describe('[OC11][SV4] a renewed session', () => {
  test('takes the place of the one it was made of, in all tabs', async () => {
    const sessions = await signedIn()
    const other = await openSessions('')
    expect(await sessions.replace(FIRST, RENEWED)).toBe(true)
    expect([sessions.get(), await other.read(), await sessions.read()]).toEqual([RENEWED, RENEWED, RENEWED])
    expect(localStorage.length).toBe(0)
  })

  test.each([
    ['a logout', (other: Awaited<ReturnType<typeof openSessions>>) => other.clear(), null],
    ['another user’s login', (other) => other.write(sessionOf(9, 'u-9')), sessionOf(9, 'u-9')],
    ['a new login of the same user', (other) => other.write(sessionOf(7)), sessionOf(7)],
  ] as [string, (other: Awaited<ReturnType<typeof openSessions>>) => Promise<void>, Session | null][])(
    'never takes the place of %s in another tab, whichever is first',
    async (_, act, wanted) => {
      for (const isFirst of [true, false]) {
        vi.stubGlobal('indexedDB', new IDBFactory())
        const sessions = await signedIn()
        const other = await openSessions('')
        const acts = [() => act(other), () => sessions.replace(FIRST, RENEWED)]
        await Promise.all((isFirst ? acts : acts.toReversed()).map((each) => each()))
        expect(await sessions.read()).toEqual(wanted)
        expect(await sessions.replace(FIRST, RENEWED)).toBe(false)
        expect(await other.read()).toEqual(wanted)
      }
    },
  )

  test('is written also where localStorage is full: the note is left out, also one of before', async () => {
    const sessions = await signedIn()
    localStorage.setItem('genba:session-renewed', JSON.stringify({ known: RENEWED, next: sessionOf(5) }))
    const room = localStorage
    const setItem = vi.fn<() => never>(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => room.getItem(key),
      removeItem: (key: string) => room.removeItem(key),
      setItem,
    })
    expect(await sessions.replace(FIRST, RENEWED)).toBe(true)
    expect(setItem).toHaveBeenCalledTimes(1)
    expect(sessions.get()).toEqual(RENEWED)
    expect((await openSessions('')).get()).toEqual(RENEWED)
  })

  test.each([
    ['and no room for the note', true],
    ['but room for the note', false],
  ])(
    '[ST4] on a full disk (%s) stands all the same, and so does the end of a session: no call leaves with what is used up',
    async (_, isFullToo) => {
      const sessions = await signedIn()
      const other = await openSessions('')
      FakeDatabase.prototype.transaction = function full(stores, mode, options) {
        if (mode === 'readwrite') throw new DOMException('disk full', 'QuotaExceededError')
        return begin.call(this, stores, mode, options)
      }
      const setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
      if (isFullToo)
        vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => undefined, setItem })
      expect(await sessions.replace(FIRST, RENEWED)).toBe(true)
      expect([sessions.get(), await sessions.read()]).toEqual([RENEWED, RENEWED])
      const ended = { ...RENEWED, expired: true }
      expect(await sessions.replace(RENEWED, ended)).toBe(true)
      expect([sessions.get(), await sessions.read()]).toEqual([ended, ended])
      if (!isFullToo) expect(await other.read()).toEqual(ended)
      FakeDatabase.prototype.transaction = begin
      expect(await sessions.read()).toEqual(ended)
      expect(await other.read()).toEqual(ended)
    },
  )

  test('[contract 3] an expired one says whether its token was invalid', async () => {
    const sessions = await signedIn()
    sessions.tokenIsInvalid()
    await sessions.replace(FIRST, { ...FIRST, expired: true })
    expect(await sessions.read()).toEqual({ ...FIRST, expired: true, tokenInvalid: true })
  })
})

describe('[OC11] a page that is put aside while it writes the renewed session', () => {
  /** WebKit: the transaction is aborted, and so is every one that is begun afterwards. */
  async function putAside(replacing: (sessions: Awaited<ReturnType<typeof openSessions>>) => unknown) {
    const window = Object.assign(new EventTarget(), {
      IDBDatabase: FakeDatabase,
      location: { reload: () => undefined },
      navigator: { vendor: 'Apple Computer, Inc.' },
    })
    const sessions = await signedIn()
    guardBfcache(window as never)
    const end = replacing(sessions)
    window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }))
    await expect(end).rejects.toBeInstanceOf(Error)
    FakeDatabase.prototype.transaction = begin
  }

  test('loses nothing: the next page of any tab has the new pair', async () => {
    await putAside((sessions) => sessions.replace(FIRST, RENEWED))
    const [next, other] = await Promise.all([openSessions(''), openSessions('')])
    expect([next.get(), other.get(), await next.read()]).toEqual([RENEWED, RENEWED, RENEWED])
    expect(localStorage.length).toBe(0)
  })

  test.each([
    ['signed out', null],
    ['signed in anew', sessionOf(7)],
  ])('brings nothing back where somebody %s in another tab', async (_, wanted) => {
    await putAside((sessions) => sessions.replace(FIRST, RENEWED))
    const note = localStorage.getItem('genba:session-renewed') ?? ''
    const other = await openSessions('')
    if (wanted) await other.write(wanted)
    else await other.clear()
    // as if the page had written its note after that
    localStorage.setItem('genba:session-renewed', note)
    expect((await openSessions('')).get()).toEqual(wanted)
  })

  test('a note that is no session does no harm', async () => {
    await signedIn()
    for (const text of ['', '{}', '[1]', '{"known":null,"next":{}}']) {
      localStorage.setItem('genba:session-renewed', text)
      expect((await openSessions('')).get()).toEqual(FIRST)
    }
  })
})
