/**
 * At each logout and start: the stores of everyone who is not signed in are left with what is unsent, and drafts of the
 * last day (sync RULES EX6, decisions/session). Loaded after the first screen.
 */
import { dayOldBefore, restoredMarks } from '#sync/lib/day-marks.ts'
import { leaveUnsentOnly, usersOnDevice } from '#data/user-stores.ts'
import { withoutData, type DataLocks } from '#data/data-lock.ts'
import type { Until } from '#data/what-stays.ts'
import { isIn } from './signed-in.ts'
import type { Keys } from './keys.ts'

const HOUR_MS = 3_600_000

export interface SweepParts {
  indexedDB: IDBFactory
  locks: DataLocks
  keys: Pick<Keys, 'lock' | 'forget' | 'users'>
  /** `genba-<hash>` of who is signed in and may enter now, of every CRM. */
  signedIn: () => Promise<string[]>
  /** Of whose session is on the device, also where `config.json` does not name its CRM now: no logout, so the key stays. */
  keyed: () => Promise<string[]>
  /** All of them where it is not said. */
  isSwept?: (user: string) => boolean
  /** Epoch ms of the device's clock. */
  now: () => number
  /** What is kept of the time that is borne out (EX3). */
  time: () => string | null
  report: (problem: unknown) => void
}

export async function sweepUsers(parts: SweepParts): Promise<void> {
  const { keys, indexedDB, isSwept = () => true } = parts
  // at once, whoever still has the stores open
  await keys.lock(async (user) => !isSwept(user) || (await isIn(parts.keyed)(user))).catch(parts.report)
  const withKeys = await keys.users().catch(() => [])
  for (const name of new Set([...(await usersOnDevice(indexedDB)), ...withKeys]))
    if (isSwept(name)) await sweep(name, parts)
}

/** One that is open somewhere is left alone: that tab sweeps it when it closes it, or the next start. */
async function sweep(name: string, parts: SweepParts): Promise<void> {
  const { indexedDB, locks, keys, signedIn, keyed, now, time, report } = parts
  const isSignedIn = () => isIn(signedIn)(name)
  try {
    if (await isSignedIn()) return
    await withoutData(locks, name, async () => {
      // meanwhile somebody may have logged in, in any tab
      if (await isSignedIn()) return
      const isAny = await leaveUnsentOnly(indexedDB, name, untilOf(now(), time()))
      if (!isAny) await keys.forget(name, isIn(keyed))
    })
  } catch (error) {
    report(error)
  }
}

/** @param time what is kept of the time that is borne out (EX3) */
export const untilOf = (now: number, time: string | null): Until => ({
  drafts: dayOldBefore(restoredMarks(time)),
  bytes: now - HOUR_MS,
})
