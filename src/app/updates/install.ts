/** Installation of the app: the browser's offer to install it, and whether it can start without a signal. */
import { createValueStore, type ValueStore } from '#lib/value-store.ts'

/** Chromium's event `beforeinstallprompt`, which other browsers lack. */
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
      // An offer can be shown once. After a refusal the browser makes a new one.
      offer.set(null)
      await current?.prompt()
    },
  }
}

/**
 * True once a service worker has stored the app's files, so that the app starts without a signal.
 * @param workers `navigator.serviceWorker`; missing outside https
 */
export function offlineReady(
  workers: Pick<ServiceWorkerContainer, 'controller' | 'ready'> | undefined,
): ValueStore<boolean> {
  const hasWorker = createValueStore(Boolean(workers?.controller))
  void workers?.ready.then(() => hasWorker.set(true))
  return hasWorker
}
