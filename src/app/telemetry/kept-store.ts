/** Where `KeptTelemetry` lies: one value in a store of its own, changed in one transaction, whichever tab does it. */
import { clear, createStore, get, update } from 'idb-keyval'
import { type } from 'arktype'
import { keptTelemetry, newTelemetry, type KeptTelemetry } from './kept.ts'

export const TELEMETRY_STORE = 'genba-telemetry'
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
  return {
    read: async () => parsed(await get(KEY, database)),
    /** @returns what is kept now */
    async update(change: (kept: KeptTelemetry) => KeptTelemetry): Promise<KeptTelemetry> {
      let next: KeptTelemetry | undefined
      await update<unknown>(KEY, (stored) => (next = change(parsed(stored))), database)
      if (!next) throw new Error('nothing was updated')
      return next
    },
    clear: () => clear(database),
  }
}
