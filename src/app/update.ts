/**
/**
 * What waits for a new start: a new version of the app (the service worker installs it, and never takes it by itself), or
 * other settings. Where the operator says that this version is too old, the new one is asked for with more weight; it is
 * offered only once it is on the device, so nobody is sent for what the host does not have. Where the new one stores
 * otherwise, its worker moves what is stored before it takes over; where that fails, this version goes on (decision 0061).
 */
import type { UpdateOffer, ValueStore } from '#data/app-context.tsx'
import type { DeviceSettings } from './settings.ts'
import type { TellStores } from './tell-stores.ts'
import { createValueStore } from './value-store.ts'

interface Parts {
  /** Closes the user's data. @returns what opens it again */
  letGo: () => Promise<() => void>
  report: (problem: unknown) => void
  tell: TellStores
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
  const reload = () => location.reload()
  let accepted = false
  let isWanted = false
  /** Takes the new version; where none waits there are other settings, and a new start is enough. */
  let apply = reload
  let registration: ServiceWorkerRegistration | undefined
  if (import.meta.env.PROD)
    void import('virtual:pwa-register').then(({ registerSW }) => {
      const update = registerSW({
        onNeedRefresh: () => {
          waiting.set(true)
          apply = takeOver
          if (isWanted) apply()
        },
        // said yes in another tab: a form that is open in this one stays, and a top screen offers it
        onNeedReload: () => (accepted ? reload() : takenElsewhere()),
        onRegisteredSW: (_, registered) => {
          registration = registered
          if (registered) lookWhenSeen(registered)
        },
      })
      const takenElsewhere = () => {
        waiting.set(true)
        apply = reload
      }
      const takeOver = () => {
        void import('./take-over.ts')
          .then(({ readyToTakeOver }) => readyToTakeOver(registration?.waiting ?? null, parts))
          .then((isReady) => {
            accepted = isReady
            return isReady ? update(true) : undefined
          })
          .catch(parts.report)
      }
    })
  return {
    get: offer.get,
    subscribe: offer.subscribe,
    apply: () => apply(),
    /** Nothing is open that could be lost: a new version is taken as soon as there is one. */
    applyWhenReady() {
      isWanted = true
      if (waiting.get()) apply()
      else void registration?.update().catch(() => undefined)
    },
  }
}

/** A browser looks for a new version when a page is loaded, and an installed app may not be loaded for days. */
function lookWhenSeen(registration: ServiceWorkerRegistration) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => undefined)
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
