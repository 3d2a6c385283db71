/**
 * Counts wrong passwords in a row. The counts are stored on disk for all tabs of a CRM: one for the screen lock and the
 * offline login, another for 封印中 data.
 */
import { readStoredJson } from '#lib/browser/stored-json.ts'
import type { DeviceValueName, DeviceValues } from '#app/config/device-values.ts'
import { waitOf, type Tries } from './lock-rules.ts'
import type { LockedData } from '#data/locked/locked-data.ts'

const NONE: Tries = { count: 0, at: 0 }

export type PasswordTries = ReturnType<typeof openTries>

interface TriesParts {
  values: DeviceValues
  /** Scope of the CRM. */
  scope: string
  /** Epoch ms of the device's clock. */
  now: () => number
}

export function openTries({ values, scope, now }: TriesParts, name: DeviceValueName = 'lock-tries') {
  const set = (tries: Tries | null) => values.set(name, tries && JSON.stringify(tries), scope)
  const read = (): Tries => {
    const tries = readStoredJson(values.get(name, scope), NONE)
    if (tries.at <= now()) return tries
    // The last try is in the future, because the clock was set back. The wait begins again now.
    const restarted = { ...tries, at: now() }
    // If the write fails on a full disk, the stored count still applies.
    set(restarted).catch(() => undefined)
    return restarted
  }
  return {
    /** Milliseconds until the next try is allowed; 0 means now. */
    wait: () => waitOf(read(), now()),
    /**
     * Counts a try before its result is known, so that closing the page does not avoid it.
     * @returns a function that removes the try from the count
     */
    async begin(): Promise<() => Promise<void>> {
      const before = read()
      await set({ count: before.count + 1, at: now() })
      return () => set(before)
    },
    /** Resets the count after a correct password. */
    right: () => set(null),
  }
}

/** Limits password tries for 封印中 data by the same waits as for the screen lock. */
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
