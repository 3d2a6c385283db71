/**
 * What waits for a new start: a new version of the app (the service worker installs it, and never takes it by itself), or
 * other settings. Where the operator says that this version is too old, the new one is asked for with more weight; it is
 * offered only once it is on the device, so nobody is sent for what the host does not have. Where the new one stores
 * otherwise, its worker moves what is stored before it takes over; where that fails, this version goes on
 * (decisions/updates).
 */
import type { UpdateOffer, ValueStore } from '#data/app-context.tsx'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { TellStores } from '#app/shell/tell-stores.ts'
import { createValueStore } from '#app/value-store.ts'
import type { Versions } from './watch-versions.ts'

interface Parts {
  /** Closes the user's data. @returns what opens it again */
  letGo: () => Promise<() => void>
  report: (problem: unknown) => void
  tell: TellStores
  /** The first list of a first visit stands. */
  free: Promise<void>
}

/** @param version the app's */
export function createUpdateStore(
  settings: Pick<DeviceSettings, 'offer' | 'minimumVersion'>,
  version: string,
  parts: Parts,
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
  const told = {
    onWaiting() {
      waiting.set(true)
      if (isWanted) void taking.apply()
    },
    // said yes in another tab: a form that is open in this one stays, and a top screen offers it
    onTaken: (isFirst: boolean) => (taking.isAccepted() ? reload() : isFirst || waiting.set(true)),
  }
  if (import.meta.env.PROD)
    void atRest()
      .then(() => import('./watch-versions.ts'))
      .then(({ watchVersions }) => watchVersions(navigator.serviceWorker, told, parts.free))
      .then((versions) => {
        taking.follow(versions)
        versions.begin()
        lookWhenSeen(versions)
      })
      .catch(parts.report)
  return {
    get: offer.get,
    subscribe: offer.subscribe,
    /** @returns settles where nothing came of it */
    apply: taking.apply,
    /** Nothing is open that could be lost: a new version is taken as soon as there is one. */
    applyWhenReady() {
      isWanted = true
      if (waiting.get()) void taking.apply()
      else taking.look()
    },
  }
}

const reload = () => location.reload()

/** Takes the version that waits, one press at a time; where none waits there are other settings, and a new start is enough. */
function createTaking(parts: Parts, waits: () => boolean) {
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
    // taken in another tab: what this version would load is gone
    if (!versions?.take()) reload()
    // until the page is loaded anew
    await new Promise(() => undefined)
  }
  return {
    follow: (found: Versions) => void (versions = found),
    look: () => versions?.look(),
    isAccepted: () => accepted,
    apply(): Promise<void> {
      taking ??= (waits() ? take().catch(parts.report) : Promise.resolve(reload())).finally(() => {
        taking = null
      })
      return taking
    },
  }
}

/** The page has all that it needs first: a worker fetches the whole app. */
const atRest = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((loaded) => addEventListener('load', loaded, { once: true }))

/** A browser looks for a new version when a page is loaded, and an installed app may not be loaded for days. */
function lookWhenSeen(versions: Versions) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') versions.look()
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
