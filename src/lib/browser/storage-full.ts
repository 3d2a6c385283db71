/** So little is left that no save fits. */
const TOO_LITTLE_BYTES = 1_000_000

/** The chain of what caused an error, as far as it says so. Libraries wrap the browser's own (`inner`, `cause`). */
function* causes(error: unknown, depth = 5): Generator<object> {
  if (typeof error !== 'object' || error === null || depth === 0) return
  yield error
  yield* causes(Reflect.get(error, 'cause'), depth - 1)
  yield* causes(Reflect.get(error, 'inner'), depth - 1)
}

/** What IndexedDB and Dexie call a write that did not go through; an abort says nothing by itself. */
const STORAGE_ERRORS: readonly unknown[] = [
  'QuotaExceededError',
  'UnknownError',
  'InvalidStateError',
  'TransactionInactiveError',
  'ReadOnlyError',
  'DatabaseClosedError',
  'OpenFailedError',
]

/** Whether the device's storage is what failed. */
export const isStorageError = (error: unknown): boolean =>
  [...causes(error)].some(
    (cause) => STORAGE_ERRORS.includes(Reflect.get(cause, 'name')) || Reflect.get(cause, 'rxdb') === true,
  )

/**
 * Whether a write failed because the device has no room: by the error's name, else by what is left.
 * @param storage `navigator.storage`; missing in some browsers
 */
export async function isStorageFull(error: unknown, storage: StorageManager | undefined): Promise<boolean> {
  for (const cause of causes(error)) if (Reflect.get(cause, 'name') === 'QuotaExceededError') return true
  try {
    const { usage, quota } = (await storage?.estimate?.()) ?? {}
    return usage !== undefined && quota !== undefined && quota - usage < TOO_LITTLE_BYTES
  } catch {
    return false
  }
}
