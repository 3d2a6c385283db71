/** Wrong passwords in a row, kept over reloads and for all tabs of a CRM: for the lock, and for a login that no CRM answers. */
import { keptJson } from '#lib/kept-json.ts'
import { scoped } from '#lib/crm-scope.ts'
import { waitOf, type Tries } from './lock-rules.ts'

const NAME = 'genba:lock-tries'
const NONE: Tries = { count: 0, at: 0 }

export interface KeptTries {
  /** Milliseconds until the next try; 0: now. */
  wait(): number
  /** Counts a try before its result is known, so that killing the page does not undo it; `right` takes it back. */
  begin(): void
  right(): void
}

/** @param now epoch ms of the device's clock */
export function openTries(scope: string, now: () => number): KeptTries {
  const name = scoped(NAME, scope)
  const keep = (tries: Tries) => {
    try {
      localStorage.setItem(name, JSON.stringify(tries))
    } catch {
      // no room: what stands there still counts
    }
  }
  const read = (): Tries => {
    const tries = keptJson(localStorage.getItem(name), NONE)
    // a clock that was set back: it is waited for anew, by the clock as it is now
    if (tries.at <= now()) return tries
    const again = { ...tries, at: now() }
    keep(again)
    return again
  }
  return {
    wait: () => waitOf(read(), now()),
    begin: () => keep({ count: read().count + 1, at: now() }),
    right: () => localStorage.removeItem(name),
  }
}
