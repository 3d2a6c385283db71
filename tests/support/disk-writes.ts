import { IDBObjectStore } from 'fake-indexeddb'
import { vi } from 'vitest'

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
