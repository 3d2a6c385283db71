/**
 * Keys of several CRMs on one phone (decisions/encryption, decisions/config): none is opened, destroyed or kept because
 * of another's login or logout.
 */
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { openKeys } from '#app/session/state/keys.ts'
import { sweepUsers, leaveCrm } from '#app/session/sweep-users.ts'
import { openSessions } from '#app/session/state/session-store.ts'
import { signOut, databasesInUse } from '#app/session/signed-in.ts'
import { databaseName, isOfHome } from '#data/database/database-name.ts'

const USER_INFO = { id: 'u-1', userFlag: 6, loginUserName: '佐々木 翔' }
const sessionOf = (accessToken: string): Session => ({
  userName: 'demo6',
  expired: false,
  accessToken,
  refreshToken: 'r',
  userInfo: USER_INFO,
})

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

/** A page of this CRM: its user has the same id and name at all. */
async function page(scope: string) {
  const [keys, sessions] = [await openKeys(scope), await openSessions(scope)]
  const name = await databaseName(USER_INFO.id, scope)
  return {
    keys,
    sessions,
    name,
    async login(password: string) {
      const trying = await keys.trying('demo6', password)
      const who = { userName: 'demo6', userInfo: { ...USER_INFO, loginUserName: `of ${scope}` } }
      const login = { user: name, userName: 'demo6', who }
      await trying.login(login, () => sessions.write(sessionOf(scope)))
    },
    /** @returns whose name the password opens, where the CRM does not answer */
    async offline(password: string) {
      let found = 'nobody'
      const trying = await keys.trying('demo6', password)
      await trying.offline(async (who) => void (found = who.userInfo.loginUserName))
      return found
    },
    logout: () => signOut(sessions, async () => keys),
    isUsable: async () => (await keys.record(name))?.keys.some(({ usable }) => usable),
  }
}

const sweepOf = async (isNamed: (scope: string) => boolean) => ({
  indexedDB,
  locks: undefined,
  keys: await openKeys(''),
  signedIn: () => databasesInUse(isNamed),
  keyed: () => databasesInUse(),
  now: () => 0,
  time: () => null,
  report: (problem: unknown) => expect.fail(String(problem)),
})

describe('[SV5] a key', () => {
  test('is looked for by the login of its own CRM only', async () => {
    const [home, west, north] = [await page(''), await page('west'), await page('north')]
    await home.login('password')
    expect(await west.offline('password')).toBe('nobody')
    await west.login('other')
    expect([await home.offline('other'), await west.offline('password')]).toEqual(['nobody', 'nobody'])
    expect([await home.offline('password'), await west.offline('other')]).toEqual(['of ', 'of west'])
    expect(await north.offline('other')).toBe('nobody')
  })

  test('is destroyed by the logout at its own CRM, and by no other', async () => {
    const [home, west] = [await page(''), await page('west')]
    await home.login('password')
    await west.login('password')
    await home.logout()
    expect([await home.isUsable(), await west.isUsable()]).toEqual([false, true])
    await home.login('password')
    await west.logout()
    expect([await home.isUsable(), await west.isUsable()]).toEqual([true, false])
  })

  test('stays while its CRM is not named and its session is there; after the logout it goes with the last row', async () => {
    const [home, west] = [await page(''), await page('west')]
    await home.login('password')
    await west.login('password')
    await sweepUsers(await sweepOf((scope) => scope === ''))
    expect([await home.isUsable(), await west.isUsable()]).toEqual([true, true])
    await west.logout()
    await sweepUsers(await sweepOf(() => true))
    expect(await home.keys.users()).toEqual([home.name])
  })

  test('goes when its CRM is left for another in its place; those of the others stay', async () => {
    const [home, west] = [await page(''), await page('west')]
    await home.login('password')
    await west.login('password')
    const { signedIn: _, keyed: __, ...parts } = await sweepOf(() => true)
    const forget = async () => undefined
    expect(await leaveCrm({ ...parts, signOut: home.sessions.clear, forget })).toBe(true)
    expect((await west.keys.users()).filter(isOfHome)).toEqual([])
    expect(await west.isUsable()).toBe(true)
  })
})
