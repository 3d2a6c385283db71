/**
 * Prepares the device for a new version of the app: if the storage layout changes, the new version's worker migrates
 * the stores (decisions/updates).
 */
import type { NotifyStores } from '#app/shell/store-notifications.ts'
import { askWorker, MIGRATE, CHECK_LAYOUT, type Migrated } from '#app/updates/worker/messages.ts'

export interface TakeOver {
  /** Closes the user's data. @returns a function that opens it again */
  suspend: () => Promise<() => void>
  report: (problem: unknown) => void
  notify: NotifyStores
}

/** Time limit of the layout check, which reads the stores of all users. A slow phone needs many seconds. */
const CHECK_MS = 30_000
const MIGRATE_MS = 120_000

/**
 * Lets the worker of the waiting version migrate the stores if their layout changes.
 * @param worker the service worker of the waiting version
 * @returns false if the waiting version cannot take over; the stores are unchanged and the user is notified
 */
export async function readyToTakeOver(
  worker: ServiceWorker,
  { suspend, report, notify }: TakeOver,
): Promise<boolean> {
  // `newer`: the operator has gone back to an older version of the app, which cannot open the stores.
  const layout = await askWorker(worker, CHECK_LAYOUT, CHECK_MS)
  if (layout !== 'older') return layout !== 'newer'
  const openAgain = await suspend()
  const answer = (await askWorker(worker, MIGRATE, MIGRATE_MS)) as Migrated | null
  if (answer?.ok) return true
  const why = answer?.why ?? 'no answer'
  report(`the new version could not take over: ${why}`)
  openAgain()
  notify(why === 'TimeoutError' ? 'close-other-tabs' : 'not-updated')
  return false
}
