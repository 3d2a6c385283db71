/** Prepares the activation of a new version: its worker migrates the stores if their layout changes (decisions/updates). */
import type { NotifyStores } from '#app/shell/store-notifications.ts'
import { askWorker, MIGRATE, CHECK_LAYOUT, type Migrated } from '#app/updates/worker/messages.ts'

export interface TakeOver {
  /** Closes the user's data. @returns what opens it again */
  suspend: () => Promise<() => void>
  report: (problem: unknown) => void
  notify: NotifyStores
}

/** The worker starts and reads every user's stores: on a slow phone that takes many seconds. */
const ANSWER_MS = 30_000
/** A full phone takes some seconds. */
const MIGRATE_MS = 120_000

/**
 * @param worker of the waiting version
 * @returns false if it must not take over: this version is unchanged, and the user is notified
 */
export async function readyToTakeOver(
  worker: ServiceWorker,
  { suspend, report, notify }: TakeOver,
): Promise<boolean> {
  // `newer`: the waiting version is an older one, which could not open the stores
  const layout = await askWorker(worker, CHECK_LAYOUT, ANSWER_MS)
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
