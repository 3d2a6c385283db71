/** The app itself on the device: the browser's offer of it, and whether it opens without a signal. */
import { createValueStore } from '#app/value-store.ts'
import type { ValueStore } from '#data/app-context.tsx'

/** Chromium's event; others have no such offer. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

const isOffer = (event: Event): event is InstallOffer => 'prompt' in event

/** The browser's offer to put the app on the home screen: kept until 設定 asks for it, never shown over the work. */
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
      const asked = offer.get()
      // an offer can be answered once; where it was declined, the browser makes another one later
      offer.set(null)
      await asked?.prompt()
    },
  }
}

/**
 * Whether the app itself is on the device: what is stored opens nothing without it where there is no signal.
 * @param workers `navigator.serviceWorker`; missing outside https: then it never is
 */
export function appKept(
  workers: Pick<ServiceWorkerContainer, 'controller' | 'ready'> | undefined,
): ValueStore<boolean> {
  const kept = createValueStore(Boolean(workers?.controller))
  void workers?.ready.then(() => kept.set(true))
  return kept
}
