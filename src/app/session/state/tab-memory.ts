/** Small values of this tab (filters, scroll positions), in sessionStorage, so that they survive a reload. */
import { createValueStore, type WritableStore } from '#lib/value-store.ts'

export function createMemory(storage: Storage) {
  const stores = new Map<string, WritableStore<string | null>>()
  return {
    store(key: string): WritableStore<string | null> {
      const known = stores.get(key)
      if (known) return known
      const name = `genba:${key}`
      const value = createValueStore(storage.getItem(name))
      const store = {
        ...value,
        set(next: string | null) {
          value.set(next)
          if (next === null) storage.removeItem(name)
          else storage.setItem(name, next)
        },
      }
      stores.set(key, store)
      return store
    },
    clear() {
      for (const store of stores.values()) store.set(null)
      for (const name of Object.keys(storage).filter((each) => each.startsWith('genba:')))
        storage.removeItem(name)
    },
  }
}

export type Memory = ReturnType<typeof createMemory>
