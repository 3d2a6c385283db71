/** Recognises errors of the device's storage, and storage that is full. */

/** With fewer free bytes the storage counts as full. */
const FREE_BYTES_MIN = 1_000_000

/** Yields an error and its causes. Libraries wrap the browser's error in `inner` or `cause`. */
function* causes(error: unknown, depth = 5): Generator<object> {
  if (typeof error !== 'object' || error === null || depth === 0) return
  yield error
  yield* causes(Reflect.get(error, 'cause'), depth - 1)
  yield* causes(Reflect.get(error, 'inner'), depth - 1)
}

/** Error names of failed IndexedDB and Dexie writes. AbortError is not listed, because it does not name a cause. */
const STORAGE_ERRORS: readonly unknown[] = [
  'QuotaExceededError',
  'UnknownError',
  'InvalidStateError',
  'TransactionInactiveError',
  'ReadOnlyError',
  'DatabaseClosedError',
  'OpenFailedError',
]

/** True if the error comes from the device's storage. */
export const isStorageError = (error: unknown): boolean =>
  [...causes(error)].some(
    (cause) => STORAGE_ERRORS.includes(Reflect.get(cause, 'name')) || Reflect.get(cause, 'rxdb') === true,
  )

/**
 * True if a write failed for lack of space: by the error's name, otherwise by the remaining quota.
 * @param storage `navigator.storage`; undefined in some browsers
 */
export async function isStorageFull(error: unknown, storage: StorageManager | undefined): Promise<boolean> {
  for (const cause of causes(error)) if (Reflect.get(cause, 'name') === 'QuotaExceededError') return true
  try {
    const { usage, quota } = (await storage?.estimate?.()) ?? {}
    return usage !== undefined && quota !== undefined && quota - usage < FREE_BYTES_MIN
  } catch {
    return false
  }
}
