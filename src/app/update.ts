/** The service worker: installs the app shell, and offers a new version without ever taking it by itself. */
import { createValueStore } from './value-store.ts'

export function createUpdateStore() {
  const waiting = createValueStore(false)
  let apply = () => undefined as void
  if (import.meta.env.PROD)
    void import('virtual:pwa-register').then(({ registerSW }) => {
      const update = registerSW({ onNeedRefresh: () => waiting.set(true) })
      apply = () => void update(true)
    })
  return { get: waiting.get, subscribe: waiting.subscribe, apply: () => apply() }
}
