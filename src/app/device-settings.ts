/** The settings of this device: kept beside the session, which belongs to one CRM as they do; `settings.ts` decides. */
import { i18n } from '@lingui/core'
import { createStore, get, set } from 'idb-keyval'
import { hasShapeOf } from '#lib/kept-json.ts'
import { readCodeLabels } from './code-labels.ts'
import { builtTelemetry, isSameCrm, readEnv, settingsOf } from './env.ts'
import type { ErrorLog } from './error-log.ts'
import type { Keys } from './keys.ts'
import type { DeviceSessions } from './session-store.ts'
import { openSettings, type DeviceSettings, type KeptSettings } from './settings.ts'

const KEY = 'settings'
const CHANNEL = 'genba-settings'
/** For the first paint, which has no IndexedDB yet. */
const NAME = 'genba:app-name'
/** What else of a CRM lies in localStorage. */
const OF_ONE_CRM = ['genba:circuit-crm', 'genba:circuit-files', 'genba:first-rows']
const AGAIN_MS = 3_600_000

interface Parts {
  sessions: DeviceSessions
  keys: () => Promise<Keys>
  log: Pick<ErrorLog, 'clear'>
  now: () => number
  /** Of what somebody has to mend. */
  report: (problem: string) => void
  /** The demo has its CRM in the page, and no `config.json`. */
  isDemo: boolean
}

export async function openDeviceSettings(parts: Parts): Promise<DeviceSettings> {
  const { sessions, report, isDemo } = parts
  const database = createStore('genba-device', 'values')
  const channel = new BroadcastChannel(CHANNEL)
  const codeLabels = readCodeLabels(import.meta.env['VITE_CODE_LABELS'], report)
  const telemetry = builtTelemetry(import.meta.env['VITE_TELEMETRY_ENDPOINT'])
  const defaults = { ...readEnv(import.meta.env), codeLabels, telemetry }
  const kept = keptOf(await get<unknown>(KEY, database), settingsOf(defaults, {}))
  const settings = await openSettings({
    defaults,
    kept,
    origin: location.origin,
    isSignedIn: sessions.get() !== null,
    async keep(next) {
      await set(KEY, next, database)
      keepName(next.running.appName, defaults.appName)
      channel.postMessage(next.running)
    },
    async read(known) {
      if (isDemo) return { kind: 'unchanged', problems: [] }
      const { readConfig } = await import('./read-config.ts')
      return readConfig({ fetch: globalThis.fetch.bind(globalThis), known, version: __APP_VERSION__, i18n })
    },
    leaveCrm: async () => leave(parts),
    report,
  })
  // nobody is at work in a tab whose CRM was left: its data would have been open (leave-crm.ts)
  channel.addEventListener('message', ({ data }) => {
    if (!isSameCrm(data as KeptSettings['running'], settings.get(), location.origin)) location.reload()
  })
  return settings
}

/** Reads `config.json` at the start, and when the app is looked at again after an hour. */
export function followConfig(settings: Pick<DeviceSettings, 'look'>, now: () => number): void {
  let looked = now()
  void settings.look()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || now() - looked < AGAIN_MS) return
    looked = now()
    void settings.look()
  })
}

async function leave({ sessions, keys, log, now, report }: Parts): Promise<boolean> {
  const { leaveCrm } = await import('./leave-crm.ts')
  return leaveCrm({
    indexedDB,
    locks: navigator.locks,
    keys: await keys(),
    now,
    time: () => localStorage.getItem('genba:time'),
    report: (problem) => report(String(problem)),
    signOut: sessions.clear,
    async forget() {
      for (const name of OF_ONE_CRM) localStorage.removeItem(name)
      await log.clear()
      const [{ figureRing }, { openJournal }] = await Promise.all([
        import('./figures.ts'),
        import('./journal.ts'),
      ])
      await figureRing().clear()
      await openJournal({ now, user: () => '' }).clear()
      indexedDB.deleteDatabase('genba-telemetry')
    },
  })
}

/** Earlier versions know fewer fields: those are the build's. */
function keptOf(stored: unknown, defaults: KeptSettings['running']): KeptSettings | null {
  if (!hasShapeOf(stored, EXAMPLE)) return null
  const { running, config } = stored as KeptSettings
  return { running: { ...defaults, ...running }, config: hasShapeOf(config, CONFIG) ? config : null }
}

const EXAMPLE = { running: { apiEndpoint: '', crmEndpoint: '', fileStoreEndpoint: '' } }
const CONFIG = { text: '', version: '', said: {} }

function keepName(name: string, usual: string): void {
  try {
    if (name === usual) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, name)
  } catch {
    localStorage.removeItem(NAME)
  }
}
