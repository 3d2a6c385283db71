/** Recognises errors of the device's storage, and a full device. */

const FREE_BYTES_MIN = 1_000_000

function* causes(error: unknown, depth = 5): Generator<object> {
  if (typeof error !== 'object' || error === null || depth === 0) return
  yield error
  yield* causes(Reflect.get(error, 'cause'), depth - 1)
  yield* causes(Reflect.get(error, 'inner'), depth - 1)
}

/** Names of errors from failed writes of IndexedDB and Dexie. AbortError is left out, because it has many causes. */
const STORAGE_ERRORS: readonly unknown[] = [
  'QuotaExceededError',
  'UnknownError',
  'InvalidStateError',
  'TransactionInactiveError',
  'ReadOnlyError',
  'DatabaseClosedError',
  'OpenFailedError',
]

/** True for errors of IndexedDB, Dexie and RxDB, whose errors have the property `rxdb`. */
export const isStorageError = (error: unknown): boolean =>
  [...causes(error)].some(
    (cause) => STORAGE_ERRORS.includes(Reflect.get(cause, 'name')) || Reflect.get(cause, 'rxdb') === true,
  )

/** True if a write failed because the device is full, by the error's name or the remaining quota. */
export async function isStorageFull(error: unknown, storage: StorageManager | undefined): Promise<boolean> {
  for (const cause of causes(error)) if (Reflect.get(cause, 'name') === 'QuotaExceededError') return true
  try {
    const { usage, quota } = (await storage?.estimate?.()) ?? {}
    return usage !== undefined && quota !== undefined && quota - usage < FREE_BYTES_MIN
  } catch {
    return false
  }
}

export interface StorageFacts {
  used: number | null
  free: number | null
  /** True if the browser has promised not to evict the data; null if the browser does not report this. */
  persisted: boolean | null
}

/** Never rejects. @param storage `navigator.storage`; undefined in some browsers and without https */
export async function readStorageFacts(storage: StorageManager | undefined): Promise<StorageFacts> {
  const { usage, quota } = (await storage?.estimate?.().catch(() => null)) ?? {}
  return {
    used: usage ?? null,
    free: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)),
    persisted: (await storage?.persisted?.().catch(() => null)) ?? null,
  }
}
