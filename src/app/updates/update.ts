/**
 * Updates that need a restart: a new version of the app, or other settings (decisions/updates). The service worker
 * installs a version but never activates it without the user. A version is offered once it is on the device; if the
 * running version is below `minimumVersion`, the offer is more urgent. A version with another storage layout migrates the
 * stores before it takes over; if that fails, the running version stays.
 */
import type { UpdateOffer } from '#data/context/app-context.tsx'
import { type ValueStore, createValueStore } from '#lib/value-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { TakeOver } from '#app/session/take-over.ts'
import type { Versions } from './watch-versions.ts'

interface UpdateParts extends TakeOver {
  /** Resolves once the first list needs no more from the network. */
  networkIdle: Promise<void>
}

/** Creates the store of updates. @param version the version of the running app */
export function createUpdateStore(
  settings: Pick<DeviceSettings, 'offer' | 'minimumVersion'>,
  version: string,
  parts: UpdateParts,
) {
  const waiting = createValueStore(false)
  const offered = (): UpdateOffer | null => {
    if (!waiting.get()) return settings.offer.get()
    return isOlder(version, settings.minimumVersion.get()) ? 'too-old' : 'new-version'
  }
  const offer = createValueStore(offered())
  const watched: ValueStore<unknown>[] = [waiting, settings.offer, settings.minimumVersion]
  for (const value of watched) value.subscribe(() => offer.set(offered()))
  const activation = createActivation(parts, waiting.get)
  let isWanted = false
  const events = {
    onWaiting() {
      waiting.set(true)
      if (isWanted) void activation.apply()
    },
    // If another tab has accepted the version, an open form in this tab stays, and a top screen offers the restart.
    onTaken: (isFirst: boolean) => (activation.isAccepted() ? reload() : isFirst || waiting.set(true)),
  }
  if (import.meta.env.PROD)
    void pageLoaded()
      .then(() => import('./watch-versions.ts'))
      .then(({ watchVersions }) => watchVersions(navigator.serviceWorker, events, parts.networkIdle))
      .then((versions) => {
        activation.follow(versions)
        versions.begin()
        checkWhenShown(versions)
      })
      .catch(parts.report)
  return {
    get: offer.get,
    subscribe: offer.subscribe,
    /** Restarts with the offered update. Settles only if the update could not be applied. */
    apply: activation.apply,
    /** Applies a new version as soon as there is one. Only for a page without open data. */
    applyWhenReady() {
      isWanted = true
      if (waiting.get()) void activation.apply()
      else activation.check()
    },
  }
}

const reload = () => location.reload()

/**
 * Activates the waiting version. A second press during an activation does nothing. If no version waits, other settings are
 * offered, and a reload is enough.
 */
function createActivation(parts: UpdateParts, isWaiting: () => boolean) {
  let versions: Versions | undefined
  let accepted = false
  let running: Promise<void> | null = null
  const activate = async () => {
    const worker = versions?.waiting()
    if (worker) {
      const { readyToTakeOver } = await import('#app/session/take-over.ts')
      if (!(await readyToTakeOver(worker, parts))) return
    }
    accepted = true
    // If another tab has activated the version, the files of this version no longer exist.
    if (!versions?.take()) reload()
    // The reload ends this page.
    await new Promise(() => undefined)
  }
  return {
    follow: (found: Versions) => void (versions = found),
    check: () => versions?.check(),
    isAccepted: () => accepted,
    apply(): Promise<void> {
      running ??= (isWaiting() ? activate().catch(parts.report) : Promise.resolve(reload())).finally(() => {
        running = null
      })
      return running
    },
  }
}

/** Resolves once the page is loaded. A new worker then downloads the whole app. */
const pageLoaded = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((loaded) => addEventListener('load', loaded, { once: true }))

/**
 * Checks for a new version when the app becomes visible. Browsers check only at a page load, which an installed app may not
 * have for days.
 */
function checkWhenShown(versions: Versions) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') versions.check()
  })
}

/** True if a version is below a minimum. @param minimum '' if every version may be used */
export function isOlder(version: string, minimum: string): boolean {
  const own = version.split('.').map(Number)
  for (const [index, required] of minimum.split('.').map(Number).entries()) {
    const part = own[index] ?? 0
    if (part !== required) return part < required
  }
  return false
}
