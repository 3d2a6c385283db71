import type { ErrorLogSent, Services, UserData } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import { createInstallStore, offlineReady } from '#app/updates/install.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import { Frame } from '#app/shell/frame.tsx'
import type { Keys } from '#app/session/state/keys.ts'
import type { Figures } from '#app/diagnostics/figures.ts'
import type { Memory } from '#app/session/state/tab-memory.ts'
import type { Network } from '#app/network/network.ts'
import { createPhotoSettings } from '#app/config/photo-settings.ts'
import type { SendErrorLog } from '#app/diagnostics/support/send-error-log.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import { createThemeStore } from '#app/shell/theme.ts'
import { createValueStore } from '#lib/value-store.ts'

type ServiceParts = Pick<
  Services,
  'clock' | 'crmClock' | 'crms' | 'flash' | 'update' | 'lock' | 'storesClosed' | 'isDemo'
> & {
  sessions: DeviceSessions
  values: DeviceValues
  settings: DeviceSettings
  memory: Memory
  network: Promise<Network>
  keys: () => Promise<Keys>
  log: ErrorLog
  figures: () => Promise<Figures>
  userData: ValueStore<UserData | null>
  telemetry: Promise<Services['telemetry']>
  report: (problem: unknown) => void
}

/** The services of all screens. Code that the first paint does not need is loaded on first use. */
export function createServices(parts: ServiceParts): Services {
  const { clock, crmClock, crms, flash, update, sessions, settings, memory, network, keys, figures } = parts
  const online = createValueStore(navigator.onLine)
  void network.then(({ connectivity }) => connectivity.online$.subscribe(online.set))
  return {
    clock,
    crmClock,
    crms,
    newId: () => crypto.randomUUID(),
    session: sessions,
    online,
    flash,
    theme: createThemeStore(),
    photo: createPhotoSettings(() => settings.get().imageSizeLimit),
    update,
    // in development there is no service worker
    appKept: import.meta.env.PROD ? offlineReady(navigator.serviceWorker) : createValueStore(true),
    install: createInstallStore(window),
    lock: parts.lock,
    errorLog: errorLogOf(parts),
    figures: async () => (await figures()).read(),
    supportFile: async (withContents) =>
      (await import('#app/diagnostics/support/gather-support.ts')).supportFileNow(parts, withContents),
    telemetry: {
      about: async () => (await parts.telemetry).about(),
      reset: async () => (await parts.telemetry).reset(),
    },
    memory,
    Frame,
    storesClosed: parts.storesClosed,
    isDemo: parts.isDemo,
    // On a first start the settings are read after the first paint.
    get appName() {
      return settings.get().appName
    },
    get codeLabels() {
      return settings.get().codeLabels
    },
    version: __APP_VERSION__,
    signIn: async (draft) =>
      (await import('#app/session/sign-in.ts')).signIn({
        settings,
        network,
        sessions,
        values: parts.values,
        keys,
        draft,
      }),
    signOut: async () => (await import('#app/session/sign-out.ts')).signOut(sessions, keys),
  }
}

const errorLogOf = ({ clock, sessions, log, network, report }: ServiceParts): Services['errorLog'] => ({
  ...log.count,
  send: async () => sendLog({ sessions, log, now: clock.now }, await network),
  note: report,
  text: async () => (await import('#app/diagnostics/error-text.ts')).errorLogText(await log.read()),
})

async function sendLog(
  parts: Pick<SendErrorLog, 'sessions' | 'log' | 'now'>,
  { env, fetch, schedulers, locks, ended }: Network,
): Promise<ErrorLogSent> {
  const { sendErrorLog } = await import('#app/diagnostics/support/send-error-log.ts')
  return sendErrorLog({ ...parts, env, fetch, ended, schedulers, locks, origin: location.origin })
}
