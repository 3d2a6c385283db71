/** Before a new version takes over: its worker moves what is stored, where it stores otherwise (decisions/updates). */
import type { TellStores } from '#app/shell/tell-stores.ts'
import { askWorker, MIGRATE, STANDING, type Migrated } from '#app/updates/worker/messages.ts'

interface Parts {
  letGo: () => Promise<() => void>
  report: (problem: unknown) => void
  tell: TellStores
}

/** It has to start, and to look into the stores of every user: on a slow phone that takes more than some seconds. */
const ANSWER_MS = 30_000
/** A phone full of requests takes some seconds. */
const MIGRATE_MS = 120_000

/**
 * @param worker of the version that waits
 * @returns whether it may take over; where not, this version is as it was, and the user was told
 */
export async function readyToTakeOver(
  worker: ServiceWorker,
  { letGo, report, tell }: Parts,
): Promise<boolean> {
  // `newer`: an older version, put in its place; it would not open anything
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
