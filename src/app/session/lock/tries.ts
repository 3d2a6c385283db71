/** Counts wrong passwords in a row, on disk for all tabs of a CRM: for the lock and offline login, and for 封印中. */
import { readStoredJson } from '#lib/browser/stored-json.ts'
import type { DeviceValueName, DeviceValues } from '#app/config/device-values.ts'
import type { LockedData } from '#data/context/app-context.tsx'

type Tries = { count: number; at: number }

const FREE_TRIES = 5
const WAITS_MS = [1, 5, 15, 60].map((minutes) => minutes * 60_000)

/** @returns milliseconds until the next try is allowed; 0 if it is allowed now */
export function waitOf({ count, at }: Tries, now: number): number {
  if (count < FREE_TRIES) return 0
  const wait = WAITS_MS[Math.min(count - FREE_TRIES, WAITS_MS.length - 1)] ?? 0
  return now < at ? wait : Math.max(0, at + wait - now)
}

const NONE: Tries = { count: 0, at: 0 }

export type PasswordTries = ReturnType<typeof openTries>

export function openTries(
  { values, scope, now }: { values: DeviceValues; scope: string; now: () => number },
  name: DeviceValueName = 'lock-tries',
) {
  const set = (tries: Tries | null) => values.set(name, tries && JSON.stringify(tries), scope)
  const read = (): Tries => {
    const tries = readStoredJson(values.get(name, scope), NONE)
    if (tries.at <= now()) return tries
    // The device's clock was set back, so the wait starts again.
    const restarted = { ...tries, at: now() }
    set(restarted).catch(() => undefined)
    return restarted
  }
  return {
    wait: () => waitOf(read(), now()),
    /** Counts a try as wrong before its result, so that closing the page does not avoid it. @returns takes it back */
    async begin(): Promise<() => Promise<void>> {
      const before = read()
      await set({ count: before.count + 1, at: now() })
      return () => set(before)
    },
    right: () => set(null),
  }
}

/** Makes the user wait after wrong passwords for data encrypted under an earlier password (封印中). */
export const limitUnlocking = (lockedData: LockedData, tries: PasswordTries): LockedData => ({
  ...lockedData,
  wait: tries.wait,
  async open(password) {
    if (tries.wait() > 0) return 'later'
    const uncount = await tries.begin()
    const opened = await lockedData.open(password).catch(async (error: unknown) => {
      await uncount()
      throw error
    })
    if (opened !== 'wrong') await tries.right()
    return opened
  },
})
