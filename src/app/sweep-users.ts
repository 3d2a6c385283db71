/**
 * At each logout and start: the stores of everyone who is not signed in are left with what is unsent, and drafts of the
 * last day (sync RULES EX6, decision 0055). Loaded after the first screen.
 */
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import { restored } from '#sync/runtime/trusted-time.ts'
import { leaveUnsentOnly, usersOnDevice } from '#data/user-stores.ts'
import { withoutData, type DataLocks } from '#data/data-lock.ts'
import type { Until } from '#data/what-stays.ts'

const HOUR_MS = 3_600_000

export interface SweepParts {
  indexedDB: IDBFactory
  locks: DataLocks
  /** `genba-<hash>` of who is signed in and may enter now, of every CRM. */
  signedIn: () => Promise<string[]>
  /** All of them where it is not said. */
  isSwept?: (user: string) => boolean
  /** Epoch ms of the device's clock. */
  now: () => number
  /** What is kept of the time that is borne out (EX3). */
  time: () => string | null
  report: (problem: unknown) => void
}

export async function sweepUsers(parts: SweepParts): Promise<void> {
  const { isSwept = () => true } = parts
  for (const name of await usersOnDevice(parts.indexedDB)) if (isSwept(name)) await sweep(name, parts)
}

/** One that is open somewhere is left alone: that tab sweeps it when it closes it, or the next start. */
async function sweep(
  name: string,
  { indexedDB, locks, signedIn, now, time, report }: SweepParts,
): Promise<void> {
  const isSignedIn = async () => (await signedIn()).includes(name)
  try {
    if (await isSignedIn()) return
    await withoutData(locks, name, async () => {
      // meanwhile somebody may have logged in, in any tab
      if (await isSignedIn()) return
      await leaveUnsentOnly(indexedDB, name, untilOf(now(), time()))
    })
  } catch (error) {
    report(error)
  }
}

/** @param time what is kept of the time that is borne out (EX3) */
export function untilOf(now: number, time: string | null): Until {
  const borneOut = Math.min(restored(time, now).now, now)
  return { drafts: borneOut - EXPIRY_HOURS * HOUR_MS, bytes: now - HOUR_MS }
}
