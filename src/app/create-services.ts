/** Creates the services of all screens from the objects that `boot.ts` has opened. */
import type { Services } from '#data/context/app-context.tsx'
import type { Page } from '#app/session/state/device.ts'
import { createValueStore } from '#lib/value-store.ts'
import { createInstallStore, offlineReady } from '#app/updates/update.ts'
import { Frame } from '#app/shell/frame.tsx'
import type { Figures } from '#app/diagnostics/figures.ts'
import { createPhotoSettings } from '#app/config/photo-settings.ts'
import { createThemeStore } from '#app/shell/theme.ts'

type Given = 'crmClock' | 'crms' | 'flash' | 'language' | 'update' | 'lock' | 'storesClosed' | 'isDemo'
interface ServiceParts extends Page, Pick<Services, Given> {
  figures: () => Promise<Figures>
  telemetry: Promise<Services['telemetry']>
}

export function createServices(parts: ServiceParts): Services {
  const { clock, crmClock, crms, flash, language, update, lock, storesClosed, isDemo } = parts
  const { sessions, values, settings, memory, network, keys, figures } = parts
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
    language,
    photo: createPhotoSettings(() => settings.get().imageSizeLimit),
    update,
    appKept: import.meta.env.PROD ? offlineReady(navigator.serviceWorker) : createValueStore(true),
    install: createInstallStore(window),
    lock,
    errorLog: errorLogOf(parts),
    figures: async () => (await figures()).read(),
    waits: async () => {
      const { waitsOf } = await import('#app/diagnostics/support/gather-support.ts')
      return waitsOf((await network).schedulers)
    },
    supportFile: async (withContents) =>
      (await import('#app/diagnostics/support/gather-support.ts')).supportFileNow(parts, withContents),
    telemetry: {
      about: async () => (await parts.telemetry).about(),
      reset: async () => (await parts.telemetry).reset(),
    },
    memory,
    Frame,
    storesClosed,
    isDemo,
    // The settings are read at each access, because they may be loaded only after the first paint.
    get appName() {
      return settings.get().appName
    },
    get codeLabels() {
      return settings.get().codeLabels
    },
    version: __APP_VERSION__,
    signIn: async (draft) =>
      (await import('#app/session/sign-in.ts')).signIn({ settings, network, sessions, values, keys, draft }),
    signOut: async () => (await import('#app/session/signed-in.ts')).signOut(sessions, keys),
  }
}

const errorLogOf = ({ clock, sessions, log, network, report }: Page): Services['errorLog'] => ({
  ...log.count,
  async send() {
    const [{ sendErrorLog }, net] = await Promise.all([
      import('#app/diagnostics/support/gather-support.ts'),
      network,
    ])
    const { env, fetch, schedulers, locks, ended } = net
    const { origin } = location
    return sendErrorLog({ sessions, log, now: clock.now, env, fetch, ended, schedulers, locks, origin })
  },
  note: report,
  text: async () => (await import('#app/diagnostics/error-text.ts')).errorLogText(await log.read()),
})
