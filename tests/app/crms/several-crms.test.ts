/** Several CRMs on one phone: whose part of the device is whose, and who is signed in where (decisions/config). */
import { readFileSync } from 'node:fs'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, afterEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '#schemas/device/session.ts'
import { settingsOf } from '#app/config/env.ts'
import { writeSummary, readSummary } from '#app/crms/summary.ts'
import { readConfig } from '#app/config/read-config.ts'
import { openSessions } from '#app/session/state/session-store.ts'
import { databasesInUse, sessionsOnDevice } from '#app/session/signed-in.ts'
import { databaseName, isOfHome, usersNamed } from '#data/database/database-name.ts'
import { i18n } from '../../support/i18n.ts'
import { DEFAULTS, device, EAST, json, OTHER, WEST } from '../../support/settings-device.ts'

describe('[decisions/config] several CRMs', () => {
  const SEVERAL = { crms: [EAST, WEST], appName: 'ピット点検' }
  const opened = async () => {
    const set = device()
    set.state.answer = json(SEVERAL)
    await (await set.start()).check()
    return set
  }
  const scopesOf = (settings: Awaited<ReturnType<ReturnType<typeof device>['start']>>) =>
    settings.crms().map(({ scope, crmName }) => [crmName, scope])

  test('a device that has nothing begins with the first, which has today’s names; the chosen one has its own', async () => {
    const { start } = await opened()
    const first = await start()
    expect(first.get()).toMatchObject({
      crmName: '東設備',
      scope: '',
      apiEndpoint: '/api/v1',
      appName: 'ピット点検',
    })
    expect(scopesOf(first)).toEqual([
      ['東設備', ''],
      ['西工業', 'west'],
    ])
    expect((await start({ scope: 'west' })).get()).toMatchObject({
      crmName: '西工業',
      scope: 'west',
      apiEndpoint: '/west/api/v1',
    })
  })

  test('a phone in use finds its data where its CRM is one of them, by id or address, at any place of the list', async () => {
    const { state, start, leaveCrm } = device()
    state.answer = json({ crmId: 'west' })
    await (await start()).check()
    leaveCrm.mockClear()
    state.answer = json({ crms: [EAST, { ...WEST, apiEndpoint: '/moved/api/v1' }] })
    await (await start()).check()
    const next = await start()
    expect(next.get()).toMatchObject({ crmName: '西工業', scope: '', apiEndpoint: '/moved/api/v1' })
    expect(scopesOf(next)).toEqual([
      ['東設備', 'east'],
      ['西工業', ''],
    ])
    expect(leaveCrm).not.toHaveBeenCalled()
    // as the version of before has kept it
    const before = device()
    before.state.kept = { running: settingsOf({ ...DEFAULTS, ...OTHER }, {}), config: null }
    before.state.answer = json({ crms: [EAST, { ...WEST, ...OTHER }] })
    await (await before.start({ defaults: { ...DEFAULTS, ...OTHER } })).check()
    const kept = await before.start()
    expect(kept.get()).toMatchObject({ crmName: '西工業', scope: '' })
  })

  test('the order of the list changes nobody’s part', async () => {
    const { state, start } = await opened()
    state.answer = json({ ...SEVERAL, crms: [WEST, EAST] })
    await (await start()).check()
    expect(scopesOf(await start())).toEqual([
      ['西工業', 'west'],
      ['東設備', ''],
    ])
  })

  test('one that is named no longer is not run with, is said, and its part is nobody else’s', async () => {
    const { state, start, leaveCrm } = await opened()
    await (
      await start({ scope: 'west' })
    ).usable
    leaveCrm.mockClear()
    state.answer = json({ crms: [EAST, { id: 'north', name: '北電設' }] })
    await (await start({ scope: 'west' })).check()
    const settings = await start({ scope: 'west' })
    expect(settings.get()).toMatchObject({ crmName: '東設備', scope: '' })
    expect(scopesOf(settings)).toEqual([
      ['東設備', ''],
      ['北電設', 'north'],
      ['西工業', 'west'],
    ])
    expect(settings.isNamed('west')).toBe(false)
    expect(leaveCrm).not.toHaveBeenCalled()
  })

  test('back to one: the part it had stays its own', async () => {
    const { state, start, leaveCrm } = await opened()
    await (
      await start({ scope: 'west' })
    ).usable
    leaveCrm.mockClear()
    state.answer = json({
      crmId: 'west',
      apiEndpoint: WEST.apiEndpoint,
      fileStoreEndpoint: WEST.fileStoreEndpoint,
    })
    await (await start({ scope: 'west' })).check()
    expect((await start({ scope: 'west' })).get()).toMatchObject({
      scope: 'west',
      apiEndpoint: '/west/api/v1',
    })
    expect(leaveCrm).not.toHaveBeenCalled()
  })
})

describe('[SV5] who is signed in', () => {
  beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
  afterEach(() => {
    localStorage.clear()
    vi.unstubAllGlobals()
  })
  const sessionOf = (accessToken: string, userFlag = 6): Session => ({
    userName: 'demo6',
    expired: false,
    accessToken,
    refreshToken: 'r',
    userInfo: { id: 'u-1', userFlag, loginUserName: '佐々木 翔' },
  })

  test('each CRM has a session of its own; a login, a renewal and a logout are of that one alone', async () => {
    const [home, west] = [await openSessions(''), await openSessions('west')]
    await home.write(sessionOf('home'))
    await west.write(sessionOf('west'))
    await west.replace(sessionOf('west'), { ...sessionOf('west-2'), expired: true })
    expect((await home.read())?.accessToken).toBe('home')
    expect((await west.read())?.accessToken).toBe('west-2')
    expect([...(await sessionsOnDevice()).keys()]).toEqual(['', 'west'])
    await home.clear()
    expect((await openSessions('')).get()).toBeNull()
    expect((await openSessions('west')).get()?.accessToken).toBe('west-2')
  })

  test('[EX6] what is swept is nobody’s who is signed in anywhere; of a CRM that is not named it is', async () => {
    await (await openSessions('')).write(sessionOf('home'))
    await (await openSessions('west')).write(sessionOf('west'))
    await (await openSessions('north')).write(sessionOf('north', 1))
    const own = [await databaseName('u-1', ''), await databaseName('u-1', 'west')]
    expect(await databasesInUse(() => true)).toEqual(own)
    expect(await databasesInUse((scope) => scope !== 'west')).toEqual(own.slice(0, 1))
  })

  test('the same user has other stores at each; those of today are recognised as the home CRM’s', async () => {
    const [home = '', west = ''] = await Promise.all(['', 'west'].map((scope) => databaseName('u-1', scope)))
    expect(home).toMatch(/^genba-[0-9a-f]{16}$/)
    expect(west.startsWith(home)).toBe(true)
    const stores = [
      `rxdb-dexie-${home}--0--requests`,
      `rxdb-dexie-${west}--0--requests`,
      'genba-diagnostics@west',
    ]
    expect(usersNamed(stores)).toEqual([home, west])
    expect([isOfHome(home), isOfHome(west)]).toEqual([true, false])
  })

  test('how one stands is kept for the pages of the others, and what is broken is nothing', () => {
    writeSummary('west', { session: 'timed-out', unsent: 3, failed: true })
    expect(readSummary('west')).toEqual({ session: 'timed-out', unsent: 3, failed: true })
    localStorage.setItem('genba:crm-summary@west', '{"unsent": "3"}')
    expect([readSummary('west').unsent, readSummary('').unsent]).toEqual([0, 0])
  })
})

test('the example of several is a good one', async () => {
  const text = readFileSync('deploy/config.several.json', 'utf8')
  const read = await readConfig({ fetch: async () => new Response(text), known: null, version: '1', i18n })
  expect([read.kind, read.problems]).toEqual(['read', []])
})
