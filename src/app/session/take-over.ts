/** Prepares the activation of a new version: its worker migrates the stores if their layout changes (decisions/updates). */
import type { NotifyStores } from '#app/shell/store-notifications.ts'
import { askWorker, MIGRATE, CHECK_LAYOUT, type Migrated } from '#app/updates/worker/messages.ts'

export interface TakeOver {
  /** Closes the user's data. @returns opens it again */
  suspend: () => Promise<() => void>
  report: (problem: unknown) => void
  notify: NotifyStores
}

/** Limit for the layout check. The worker starts and reads every user's stores, which takes a slow phone many seconds. */
const CHECK_MS = 30_000
/** Limit for the migration. */
const MIGRATE_MS = 120_000

/**
 * Prepares the stores for the waiting version.
 * @param worker the service worker of the waiting version
 * @returns false if the waiting version must not take over; the stores are then unchanged, and the user is notified
 */
export async function readyToTakeOver(
  worker: ServiceWorker,
  { suspend, report, notify }: TakeOver,
): Promise<boolean> {
  // The stores' layout is `newer` than that of the waiting version if the operator has gone back to an older version. The
  // waiting version could not open the stores.
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
