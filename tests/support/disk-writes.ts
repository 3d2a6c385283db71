import { IDBObjectStore, IDBTransaction } from 'fake-indexeddb'
import { vi } from 'vitest'
import type { Database } from '#data/database/database.ts'

/**
 * Every row that is written to IndexedDB, put or added, is told first; what `before` throws, the write throws.
 * @returns as it was before, again
 */
export function beforeEachWrite(
  before: (row: Record<string, unknown>, store: { transaction: { db: { name: string } } }) => void,
): () => void {
  const spies = (['put', 'add'] as const).map((method) => {
    const original = IDBObjectStore.prototype[method]
    return vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      before(args[0] as Record<string, unknown>, this)
      return original.apply(this, args)
    })
  })
  return () => spies.forEach((spy) => spy.mockRestore())
}

/** Comes before each save is written; what it throws, the save throws. @returns ends that */
export function beforeEachSave(
  { changes: { storageInstance } }: Database,
  before: () => Promise<void>,
): () => void {
  const write = storageInstance.bulkWrite.bind(storageInstance)
  const spy = vi.spyOn(storageInstance, 'bulkWrite').mockImplementation(async (rows, context) => {
    if (context === 'write-together') await before()
    return write(rows, context)
  })
  return () => spy.mockRestore()
}

/** The device has no room for the next save. @param meanwhile what happens before it says so */
export function refuseNextSave(
  db: Database,
  error: unknown = new DOMException('no room', 'QuotaExceededError'),
  meanwhile: () => Promise<void> = async () => undefined,
): void {
  const end = beforeEachSave(db, async () => {
    end()
    await meanwhile()
    throw error
  })
}

/** As in WebKit: a transaction that aborts after `commit()` has no error; only its failed request has. */
export function abortsWithoutReason() {
  const { commit } = IDBTransaction.prototype
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
    Object.defineProperty(this, 'error', { get: () => null, set() {} })
    commit.call(this)
  })
}
