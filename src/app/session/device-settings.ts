/** Stores the settings of this device in the session's database. `settings.ts` decides which settings apply. */
import { i18n } from '@lingui/core'
import { get, set, type UseStore } from 'idb-keyval'
import { storeScope, lastScope } from '#lib/browser/crm-scope.ts'
import { hasShapeOf, storeText } from '#lib/browser/stored-json.ts'
import {
  builtSettings,
  crmAt,
  crmsOf,
  isSameCrm,
  missingIn,
  settingsOf,
  type Settings,
} from '#app/config/env.ts'
import { deviceStore, type DeviceValues } from '#app/config/device-values.ts'
import { createErrorLog } from '#app/diagnostics/error-log.ts'
import { isOfHome } from '#data/database/database-name.ts'
import type { Keys } from '#app/session/state/keys.ts'
import { openSessions, type DeviceSessions } from '#app/session/state/session-store.ts'
import { knownTo, openSettings, type DeviceSettings, type StoredSettings } from '#app/config/settings.ts'

const KEY = 'settings'
const CHANNEL = 'genba-settings'
/** Key of the app's name in localStorage, because the first paint shows the name and cannot wait for IndexedDB. */
const APP_NAME = 'genba:app-name'
const OF_FIRST_CRM = ['genba:circuit-crm', 'genba:circuit-files', 'genba:crm-summary']
const RECHECK_MS = 3_600_000

interface DeviceParts {
  scope: string
  store: UseStore
  sessions: DeviceSessions
  values: DeviceValues
  keys: () => Promise<Keys>
  log: { clear(): Promise<void> }
  now: () => number
  report: (problem: string) => void
  /** True in the demo, which has no `config.json`, because its CRM is inside the page. */
  isDemo: boolean
}

export async function openDeviceSettings(parts: DeviceParts): Promise<DeviceSettings> {
  const { store: database, sessions, scope, report, isDemo } = parts
  const channel = new BroadcastChannel(CHANNEL)
  const { defaults, stored } = await storedSettings(database, report)
  const settings = await openSettings({
    defaults,
    stored,
    origin: location.origin,
    scope,
    isSignedIn: sessions.get() !== null,
    async store(next) {
      await set(KEY, next, database)
      const { appName } = next.running
      storeText(APP_NAME, appName === defaults.appName ? null : appName)
      channel.postMessage(next.running)
    },
    async read(known) {
      if (isDemo) return { kind: 'unchanged', problems: [] }
      const { readConfig } = await import('#app/config/read-config.ts')
      return readConfig({ fetch: globalThis.fetch.bind(globalThis), known, version: __APP_VERSION__, i18n })
    },
    leaveCrm: async () => leave(parts),
    report,
  })
  if (settings.get().scope !== scope) await startWith(settings.get().scope)
  followOtherPages(channel, settings.get)
  // A new tab opens the CRM of the tab that was visible last.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') storeScope(scope)
  })
  return settings
}

/** Reloads this page when its storage was given to a new CRM. A CRM that is open in a tab is not replaced. */
function followOtherPages(channel: BroadcastChannel, running: () => Settings): void {
  channel.addEventListener('message', ({ data }) => {
    const [other, own] = [data as Settings, running()]
    if (other.scope === own.scope && !isSameCrm(other, own, location.origin)) location.reload()
  })
}

/** Stores this scope as the chosen one and reloads the page. Returns only if the scope cannot be stored. */
async function startWith(scope: string): Promise<void> {
  storeScope(scope)
  if (lastScope() !== scope) return
  location.reload()
  await new Promise(() => undefined)
}

/** Settings with which a hidden iframe (`send-for.ts`) calls the CRM of this scope; null if there are none. */
export async function storedSettingsOf(scope: string, report: (problem: string) => void) {
  const { defaults, stored } = await storedSettings(deviceStore(), report)
  const [known, { origin }] = [knownTo(stored), location]
  const own = crmAt(scope, crmsOf(defaults, stored?.config?.said ?? {}, known, origin), known, origin)
  if (!own || missingIn(own).length > 0) return null
  followOtherPages(new BroadcastChannel(CHANNEL), () => own)
  return own
}

async function storedSettings(database: UseStore, report: (problem: string) => void) {
  const defaults = builtSettings(import.meta.env, report)
  return { defaults, stored: storedOf(await get<unknown>(KEY, database), settingsOf(defaults, {})) }
}

export function followConfig(settings: DeviceSettings, now: () => number): void {
  let checked = now()
  void settings.check()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || now() - checked < RECHECK_MS) return
    checked = now()
    void settings.check()
  })
}

async function leave(parts: DeviceParts): Promise<boolean> {
  const { keys, now, report } = parts
  const { sessions, log } = parts.scope === '' ? parts : await ofHome(parts)
  const [{ leaveCrm }, { forgetReceived, openReceivedStore }] = await Promise.all([
    import('./sweep-users.ts'),
    import('#data/received/received-store.ts'),
  ])
  return leaveCrm({
    indexedDB,
    locks: navigator.locks,
    keys: await keys(),
    now,
    time: () => parts.values.get('time'),
    report: (problem) => report(String(problem)),
    signOut: sessions.clear,
    async forget() {
      for (const name of OF_FIRST_CRM) localStorage.removeItem(name)
      await forgetReceived(openReceivedStore(), isOfHome)
      await log.clear()
    },
  })
}

/** Opens session and error log of the device's first CRM while the page shows another CRM. */
async function ofHome({ now }: DeviceParts): Promise<Pick<DeviceParts, 'sessions' | 'log'>> {
  const sessions = await openSessions('')
  const log = createErrorLog({ now, session: sessions.get, screen: () => location.pathname, scope: '' })
  return { sessions, log }
}

function storedOf(stored: unknown, defaults: StoredSettings['running']): StoredSettings | null {
  if (!hasShapeOf(stored, STORED_SHAPE)) return null
  const { running, config, known } = stored as StoredSettings
  const withDefaults = (settings: Partial<Settings>): Settings => ({ ...defaults, ...settings })
  return {
    running: withDefaults(running),
    config: hasShapeOf(config, CONFIG_SHAPE) ? config : null,
    ...(hasShapeOf(known, KNOWN_SHAPE) && {
      known: { home: known.home && withDefaults(known.home), used: known.used.map(withDefaults) },
    }),
  }
}

const STORED_SHAPE = { running: { apiEndpoint: '', crmEndpoint: '', fileStoreEndpoint: '' } }
const CONFIG_SHAPE = { text: '', version: '', said: {} }
const KNOWN_SHAPE = { used: [] }
