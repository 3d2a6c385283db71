/** Small values of this tab (filters, scroll positions), in sessionStorage, so that they survive a reload. */
import { cached } from '#lib/cached.ts'
import { createValueStore, type WritableStore } from '#lib/value-store.ts'

export function createMemory(storage: Storage) {
  const stores = new Map<string, WritableStore<string | null>>()
  const storeOf = (name: string) => {
    const value = createValueStore(storage.getItem(name))
    const set = (next: string | null) => {
      value.set(next)
      if (next === null) storage.removeItem(name)
      else storage.setItem(name, next)
    }
    return { ...value, set }
  }
  return {
    store: (key: string) => cached(stores, key, () => storeOf(`genba:${key}`)),
    clear() {
      for (const store of stores.values()) store.set(null)
      for (const name of Object.keys(storage).filter((each) => each.startsWith('genba:')))
        storage.removeItem(name)
    },
  }
}

export type Memory = ReturnType<typeof createMemory>
