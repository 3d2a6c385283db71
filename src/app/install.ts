/** The browser's offer to put the app on the home screen: kept until 設定 asks for it, never shown over the work. */
import { createValueStore } from './value-store.ts'

/** Chromium's event; others have no such offer. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

const isOffer = (event: Event): event is InstallOffer => 'prompt' in event

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
