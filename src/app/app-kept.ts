/** Whether the app itself is on the device: what is stored opens nothing without it where there is no signal. */
import type { ValueStore } from '#data/app-context.tsx'
import { createValueStore } from './value-store.ts'

/** @param workers `navigator.serviceWorker`; missing outside https: then it never is */
export function appKept(
  workers: Pick<ServiceWorkerContainer, 'controller' | 'ready'> | undefined,
): ValueStore<boolean> {
  const kept = createValueStore(Boolean(workers?.controller))
  void workers?.ready.then(() => kept.set(true))
  return kept
}
