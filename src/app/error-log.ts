/** The local error log (spec 8): newest last, bounded, on this device only until the user sends it. */
import { createStore, update } from 'idb-keyval'

const MOST = 200

export interface ErrorLogEntry {
  at: string
  message: string
}

export function createErrorLog(now: () => number) {
  const database = createStore('genba-errors', 'values')
  return {
    async add(message: string): Promise<void> {
      const entry: ErrorLogEntry = { at: new Date(now()).toISOString(), message }
      await update<ErrorLogEntry[]>('log', (log = []) => [...log, entry].slice(-MOST), database)
    },
  }
}
