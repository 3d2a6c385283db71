/** What a page with several CRMs has beside it, and when a frame's CRM is no longer its own (decisions/config). */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createStore, get, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCrms } from '#app/crms/crms.ts'
import { storedSettingsOf, openDeviceSettings } from '#app/session/device-settings.ts'
import { settingsOf } from '#app/config/env.ts'
import { openDeviceValues } from '#app/config/device-values.ts'
import { openKeys } from '#app/session/state/keys.ts'
import { writeSummary, readSummary } from '#app/crms/summary.ts'
import { publishSummary } from '#app/crms/publish-summary.ts'
import { deviceStore } from '#app/config/device-values.ts'
import { openSessions } from '#app/session/state/session-store.ts'
import type { StoredSettings } from '#app/config/settings.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import type { Session } from '#schemas/device/session.ts'
import { openTestDatabase, testSession } from '../../support/render-feature.tsx'
import { DEFAULTS, EAST, OTHER, WEST } from '../../support/settings-device.ts'

const east = { ...settingsOf(DEFAULTS, {}), crmId: 'east', crmName: EAST.name }
const west = { ...settingsOf(DEFAULTS, WEST), crmId: 'west', crmName: WEST.name, scope: 'west' }
const { codeLabels: _, ...SHARED } = DEFAULTS
const SEVERAL = { ...SHARED, imageSizeLimit: 10, crms: [EAST, WEST] }
/** Another in the place of the first. */
const NORTH = { ...SHARED, imageSizeLimit: 10, ...OTHER, crmId: 'north' }

const report = (problem: unknown) => expect.fail(String(problem))
const device = () => createStore('genba-device', 'values')
const keep = (said: StoredSettings['running'] | object) => {
  const kept = {
    running: east,
    config: { text: '', version: '1', said },
    known: { home: east, used: [west] },
  }
  return set('settings', kept, device())
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  localStorage.clear()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('[SV5a] a frame hears that its part of the device has changed hands, and begins anew; those of the others go on', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  await keep(SEVERAL)
  expect(await storedSettingsOf('west', report)).toMatchObject({ crmName: '西工業', scope: 'west' })
  const heard = vi.fn<(event: MessageEvent) => void>()
  new BroadcastChannel('genba-settings').addEventListener('message', heard)
  // a new start of another tab leaves the home CRM for another: no frame has that part
  await keep(NORTH)
  const start = async () =>
    openDeviceSettings({
      scope: '',
      sessions: await openSessions(''),
      values: await openDeviceValues(),
      store: deviceStore(),
      keys: () => openKeys(''),
      log: { clear: async () => undefined },
      now: Date.now,
      report,
      isDemo: true,
    })
  expect((await start()).get()).toMatchObject({ crmId: 'north', scope: '' })
  await vi.waitFor(() => expect(heard).toHaveBeenCalled())
  expect(reload).not.toHaveBeenCalled()

  await keep(SEVERAL)
  expect(await storedSettingsOf('', report)).toMatchObject({ crmName: '東設備', scope: '' })
  await keep(NORTH)
  await start()
  await vi.waitFor(() => expect(reload).toHaveBeenCalled())
  expect(await get<StoredSettings>('settings', device())).toMatchObject({ running: { crmId: 'north' } })
})

const crmsWith = (names: readonly (typeof east)[]) => {
  const [sessions, userData] = [createValueStore(null), createValueStore(null)]
  return createCrms({
    settings: { crms: () => [...names], isNamed: () => true, usable: Promise.resolve(east) },
    sessions,
    userData,
    scope: '',
    memory: { clear: () => undefined },
    firstPaint: new Promise<void>(() => undefined),
    report,
  })
}

test('[SV5] several CRMs are told before the first screen stands, as each was left; one is no choice', async () => {
  writeSummary('west', { session: 'timed-out', unsent: 2, failed: false })
  const [one, several] = [crmsWith([east]), crmsWith([east, west])]
  await vi.waitFor(() => expect(several.get()).toHaveLength(2))
  expect(several.get()).toMatchObject([
    { name: '東設備', isShown: true },
    { name: '西工業', isShown: false, session: 'timed-out', unsent: 2 },
  ])
  expect(one.get()).toEqual([])
  ;(await several.suspend())()
})

test('[SV5a] a frame that cannot open what lies there says so, until it can', async () => {
  const db = await openTestDatabase()
  const sessions = createValueStore<Session | null>(testSession)
  const data = createValueStore<{ db: Database } | null>(null)
  writeSummary('west', { session: 'open', unsent: 2, failed: false })
  const { cannotOpen } = publishSummary({ scope: 'west', sessions, data })
  cannotOpen()
  expect(readSummary('west')).toEqual({ session: 'closed', unsent: 2, failed: false })
  data.set({ db })
  await vi.waitFor(() => expect(readSummary('west')).toEqual({ session: 'open', unsent: 0, failed: false }))
})
