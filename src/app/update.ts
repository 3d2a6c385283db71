/**
 * The service worker: installs the app shell, and offers a new version without ever taking it by itself. Where the new one
 * stores otherwise, its worker moves what is stored before it takes over; where that fails, this version goes on
 * (decision 0061).
 */
import type { TellStores } from './tell-stores.ts'
import { createValueStore } from './value-store.ts'

interface Parts {
  /** Closes the user's data. @returns what opens it again */
  letGo: () => Promise<() => void>
  report: (problem: unknown) => void
  tell: TellStores
}

export function createUpdateStore(parts: Parts) {
  const waiting = createValueStore(false)
  let accepted = false
  let isWanted = false
  let apply = () => undefined as void
  let registration: ServiceWorkerRegistration | undefined
  const found = () => {
    waiting.set(true)
    if (isWanted) apply()
  }
  if (import.meta.env.PROD)
    void import('virtual:pwa-register').then(({ registerSW }) => {
      const update = registerSW({
        onNeedRefresh: found,
        // said yes in another tab: a form that is open in this one stays, and a top screen offers it
        onNeedReload: () => (accepted ? location.reload() : takenElsewhere()),
        onRegisteredSW: (_, registered) => {
          registration = registered
          if (registered) lookWhenSeen(registered)
        },
      })
      const takenElsewhere = () => {
        waiting.set(true)
        apply = () => location.reload()
      }
      apply = () => {
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
    get: waiting.get,
    subscribe: waiting.subscribe,
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
