/** The service worker: installs the app shell, and offers a new version without ever taking it by itself. */
import { createValueStore } from './value-store.ts'

export function createUpdateStore() {
  const waiting = createValueStore(false)
  let accepted = false
  let apply = () => undefined as void
  if (import.meta.env.PROD)
    void import('virtual:pwa-register').then(({ registerSW }) => {
      const update = registerSW({
        onNeedRefresh: () => waiting.set(true),
        // said yes in another tab: a form that is open in this one stays, and a top screen offers it
        onNeedReload: () => (accepted ? location.reload() : takenElsewhere()),
        onRegisteredSW: (_, registration) => registration && lookWhenSeen(registration),
      })
      const takenElsewhere = () => {
        waiting.set(true)
        apply = () => location.reload()
      }
      apply = () => {
        accepted = true
        void update(true)
      }
    })
  return { get: waiting.get, subscribe: waiting.subscribe, apply: () => apply() }
}

/** A browser looks for a new version when a page is loaded, and an installed app may not be loaded for days. */
function lookWhenSeen(registration: ServiceWorkerRegistration) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => undefined)
  })
}
