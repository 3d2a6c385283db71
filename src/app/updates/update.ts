/**
 * What waits for a restart: a new version of the app, or other settings. The service worker installs a version but never
 * activates it without the user. A version is offered once it is on the device; below `minimumVersion` the offer is more
 * urgent. A version with another storage layout migrates the stores before it takes over; if that fails, the current
 * version stays (decisions/updates).
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

/** @param version the app's */
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
  const taking = createTaking(parts, waiting.get)
  let isWanted = false
  const events = {
    onWaiting() {
      waiting.set(true)
      if (isWanted) void taking.apply()
    },
    // accepted in another tab: an open form in this one stays, and a top screen offers the restart
    onTaken: (isFirst: boolean) => (taking.isAccepted() ? reload() : isFirst || waiting.set(true)),
  }
  if (import.meta.env.PROD)
    void atRest()
      .then(() => import('./watch-versions.ts'))
      .then(({ watchVersions }) => watchVersions(navigator.serviceWorker, events, parts.networkIdle))
      .then((versions) => {
        taking.follow(versions)
        versions.begin()
        checkWhenShown(versions)
      })
      .catch(parts.report)
  return {
    get: offer.get,
    subscribe: offer.subscribe,
    /** Settles only if the version could not be applied. */
    apply: taking.apply,
    /** For a page that has nothing open: applies a new version as soon as there is one. */
    applyWhenReady() {
      isWanted = true
      if (waiting.get()) void taking.apply()
      else taking.check()
    },
  }
}

const reload = () => location.reload()

/** Applies the waiting version, one press at a time. Without one there are other settings, for which a reload is enough. */
function createTaking(parts: UpdateParts, waits: () => boolean) {
  let versions: Versions | undefined
  let accepted = false
  let taking: Promise<void> | null = null
  const take = async () => {
    const worker = versions?.waiting()
    if (worker) {
      const { readyToTakeOver } = await import('#app/session/take-over.ts')
      if (!(await readyToTakeOver(worker, parts))) return
    }
    accepted = true
    // applied in another tab: the files of this version no longer exist
    if (!versions?.take()) reload()
    // the reload ends this page
    await new Promise(() => undefined)
  }
  return {
    follow: (found: Versions) => void (versions = found),
    check: () => versions?.check(),
    isAccepted: () => accepted,
    apply(): Promise<void> {
      taking ??= (waits() ? take().catch(parts.report) : Promise.resolve(reload())).finally(() => {
        taking = null
      })
      return taking
    },
  }
}

/** Resolves once the page is loaded and idle: a worker downloads the whole app. */
const atRest = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((loaded) => addEventListener('load', loaded, { once: true }))

/** Checks for a new version when the app is shown: browsers check at a page load, which an installed app may not have for days. */
function checkWhenShown(versions: Versions) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') versions.check()
  })
}

/** @param minimum '' for any */
export function isOlder(version: string, minimum: string): boolean {
  const [own, wanted] = [version, minimum].map((each) => each.split('.').map(Number))
  for (const [at, part] of (wanted ?? []).entries()) {
    const ours = own?.[at] ?? 0
    if (ours !== part) return ours < part
  }
  return false
}
