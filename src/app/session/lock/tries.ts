/**
 * Counts wrong passwords in a row. Two counts are stored on disk for all tabs of a CRM: one for the screen lock and the
 * offline login, one for data encrypted under an earlier password (封印中).
 */
import { readStoredJson } from '#lib/browser/stored-json.ts'
import type { DeviceValueName, DeviceValues } from '#app/config/device-values.ts'
import { waitOf, type Tries } from './lock-rules.ts'
import type { LockedData } from '#data/locked/locked-data.ts'

const NONE: Tries = { count: 0, at: 0 }

export type PasswordTries = ReturnType<typeof openTries>

interface TriesParts {
  values: DeviceValues
  scope: string
  now: () => number
}

export function openTries({ values, scope, now }: TriesParts, name: DeviceValueName = 'lock-tries') {
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
    /** Returns milliseconds until the next try is allowed; 0 if it is allowed now. */
    wait: () => waitOf(read(), now()),
    /**
     * Counts a try as wrong before its result is known, so that a user cannot avoid the count by closing the page.
     * @returns a function that removes the try from the count
     */
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
