/** Prepares the activation of a new version: its worker migrates the stores if their layout changes (decisions/updates). */
import type { TellStores } from '#app/shell/tell-stores.ts'
import { askWorker, MIGRATE, STANDING, type Migrated } from '#app/updates/worker/messages.ts'

interface Parts {
  letGo: () => Promise<() => void>
  report: (problem: unknown) => void
  tell: TellStores
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
  { letGo, report, tell }: Parts,
): Promise<boolean> {
  // `newer`: the waiting version is an older one, which could not open the stores
  const standing = await askWorker(worker, STANDING, ANSWER_MS)
  if (standing !== 'older') return standing !== 'newer'
  const openAgain = await letGo()
  const answer = (await askWorker(worker, MIGRATE, MIGRATE_MS)) as Migrated | null
  if (answer?.ok) return true
  const why = answer?.why ?? 'no answer'
  report(`the new version could not take over: ${why}`)
  openAgain()
  tell(why === 'TimeoutError' ? 'close-other-tabs' : 'not-updated')
  return false
}
