/**
 * Updates that need a restart: a new version, more urgent below `minimumVersion`, or other settings
 * (decisions/updates). The user activates a version, which first migrates the stores or leaves all as it is.
 */
import type { UpdateOffer } from '#data/context/app-context.tsx'
import { type ValueStore, createValueStore } from '#lib/value-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { Versions, TakeOver } from './watch-versions.ts'

type UpdateParts = TakeOver & { networkIdle: Promise<void> }

/** @param version version of the running app */
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
    onTaken(isFirst: boolean) {
      if (activation.isAccepted()) reload()
      // Another tab has activated the version. A form may be open here, so the top screens offer the restart.
      else if (!isFirst) waiting.set(true)
    },
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
    /** Restarts the app with the offered update. The promise settles only if the update fails. */
    apply: activation.apply,
    /** Applies a new version as soon as one is waiting. Called only by a page that has no user data open. */
    applyWhenReady() {
      isWanted = true
      if (waiting.get()) void activation.apply()
      else activation.check()
    },
  }
}

const reload = () => location.reload()

/** `apply` activates the waiting version, or reloads for other settings. A second call meanwhile does nothing. */
function createActivation(parts: UpdateParts, isWaiting: () => boolean) {
  let versions: Versions | undefined
  let accepted = false
  let running: Promise<void> | null = null
  const activate = async () => {
    const worker = versions?.waiting()
    if (worker) {
      const { readyToTakeOver } = await import('./watch-versions.ts')
      if (!(await readyToTakeOver(worker, parts))) return
    }
    accepted = true
    // False: another tab has activated the version, and the files of this page are deleted.
    if (!versions?.take()) reload()
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

/** Resolves once the page is loaded. Only then may a new worker download the whole app. */
const pageLoaded = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((loaded) => addEventListener('load', loaded, { once: true }))

/** Checks whenever the app becomes visible, because an installed app may run for days without a page load. */
function checkWhenShown(versions: Versions) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') versions.check()
  })
}

/** True if a version is lower than the minimum. @param minimum '' for no minimum */
export function isOlder(version: string, minimum: string): boolean {
  const own = version.split('.').map(Number)
  for (const [index, required] of minimum.split('.').map(Number).entries()) {
    const part = own[index] ?? 0
    if (part !== required) return part < required
  }
  return false
}

interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

const isOffer = (event: Event): event is InstallOffer => 'prompt' in event

/** Stores the browser's install offer until the user accepts it in 設定. */
export function createInstallStore(target: EventTarget) {
  const offer = createValueStore<InstallOffer | null>(null)
  target.addEventListener('beforeinstallprompt', (event) => {
    if (!isOffer(event)) return
    event.preventDefault()
    offer.set(event)
  })
  target.addEventListener('appinstalled', () => offer.set(null))
  return {
    get: () => offer.get() !== null,
    subscribe: offer.subscribe,
    async ask() {
      const current = offer.get()
      offer.set(null)
      await current?.prompt()
    },
  }
}

/** True once a service worker has stored the app's files. @param workers missing outside https */
export function offlineReady(workers: Pick<ServiceWorkerContainer, 'controller' | 'ready'> | undefined) {
  const hasWorker = createValueStore(Boolean(workers?.controller))
  void workers?.ready.then(() => hasWorker.set(true))
  return hasWorker
}
