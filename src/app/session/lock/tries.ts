/**
 * Wrong passwords in a row, on the disk and for all tabs of a CRM: for the lock and a login that no CRM answers, and apart
 * from these for what a password of before has sealed (封印中).
 */
import { readStoredJson } from '#lib/browser/stored-json.ts'
import type { DeviceValueName, DeviceValues } from '#app/config/device-values.ts'
import { waitOf, type Tries } from './lock-rules.ts'

const NONE: Tries = { count: 0, at: 0 }

export interface PasswordTries {
  /** Milliseconds until the next try; 0: now. */
  wait(): number
  /** Counts a try before its result is known, so that killing the page does not undo it. @returns what takes it back */
  begin(): Promise<() => Promise<void>>
  /** All are forgotten. */
  right(): Promise<void>
}

interface TriesParts {
  values: Pick<DeviceValues, 'get' | 'set'>
  /** Of the CRM. */
  scope: string
  /** Epoch ms of the device's clock. */
  now: () => number
}

export function openTries(
  { values, scope, now }: TriesParts,
  name: DeviceValueName = 'lock-tries',
): PasswordTries {
  const set = (tries: Tries | null) => values.set(name, tries && JSON.stringify(tries), scope)
  const read = (): Tries => {
    const tries = readStoredJson(values.get(name, scope), NONE)
    // a clock that was set back: it is waited for anew, by the clock as it is now
    if (tries.at <= now()) return tries
    const again = { ...tries, at: now() }
    // on a full disk what lies there still counts
    set(again).catch(() => undefined)
    return again
  }
  return {
    wait: () => waitOf(read(), now()),
    async begin() {
      const before = read()
      await set({ count: before.count + 1, at: now() })
      return () => set(before)
    },
    right: () => set(null),
  }
}
