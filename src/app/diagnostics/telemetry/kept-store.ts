/** Where `KeptTelemetry` lies: one value in a store of its own, changed in one transaction, whichever tab does it. */
import { createStore, update } from 'idb-keyval'
import { type } from 'arktype'
import { keptTelemetry, newTelemetry, type KeptTelemetry } from './kept.ts'

const TELEMETRY_STORE = 'genba-telemetry'
const KEY = 'kept'

interface StoreParts {
  now: () => number
  newId: () => string
}

export type TelemetryStore = ReturnType<typeof openTelemetryStore>

export function openTelemetryStore({ now, newId }: StoreParts) {
  const database = createStore(TELEMETRY_STORE, 'values')
  const parsed = (stored: unknown): KeptTelemetry => {
    const kept = keptTelemetry(stored)
    // what another version has left, or nobody: the device begins anew
    return kept instanceof type.errors ? newTelemetry(newId(), now()) : kept
  }
  /** @returns what is kept now */
  const change = async (next: (kept: KeptTelemetry) => KeptTelemetry): Promise<KeptTelemetry> => {
    let now: KeptTelemetry | undefined
    await update<unknown>(KEY, (stored) => (now = next(parsed(stored))), database)
    if (!now) throw new Error('nothing was updated')
    return now
  }
  return {
    update: change,
    /** Who asks first makes the id, and it is the one that stays. */
    read: () => change((kept) => kept),
  }
}
