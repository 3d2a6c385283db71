/** One store in two storages, which are asked the same and must say the same: what they answer, what they tell. */
import { isDeepStrictEqual } from 'node:util'
import type { RxStorage, RxStorageInstance } from 'rxdb/plugins/core'
import { expect } from 'vitest'
import type { Visit, visitSchema } from './storage-steps.ts'

export type Store = RxStorageInstance<Visit, unknown, unknown, unknown>

/** What a call came to: its answer, or that there was none. */
type Outcome = { answer: unknown } | { threw: true }

export interface StoragePair {
  /** Both are asked; what they say and tell must be the same. @returns what they say */
  both<T>(what: string, ask: (store: Store) => Promise<T> | T): Promise<T | undefined>
  reopen(): Promise<void>
  stores(): Promise<readonly [Store, Store]>
}

interface Parts {
  storages: readonly [RxStorage<unknown, unknown>, RxStorage<unknown, unknown>]
  name: string
  schema: typeof visitSchema
  /** Runs before the first of the two is asked. @returns runs before the second is asked */
  before?: () => () => void
  /** 'visits' where it does not matter. */
  collection?: string
}

let opened = 0

export async function storagePair(parts: Parts): Promise<StoragePair> {
  const { storages, name, schema, before, collection = 'visits' } = parts
  // RxDB's Dexie storage knows its databases by name, whatever factory they are of
  const names = [`${name}-first`, `${name}-second`]
  let told: unknown[][] = [[], []]
  const open = async (at: 0 | 1): Promise<Store> => {
    const store = (await storages[at].createStorageInstance({
      databaseName: names[at] ?? '',
      collectionName: collection,
      databaseInstanceToken: `token-${(opened += 1)}`,
      schema,
      options: {},
      multiInstance: false,
      devMode: false,
    })) as unknown as Store
    store.changeStream().subscribe((bulk) => void told[at]?.push({ ...bulk, id: '' }))
    return store
  }
  const openBoth = () => Promise.all([open(0), open(1)])
  let stores = await openBoth()
  const pair: StoragePair = {
    async both<T>(what: string, ask: (store: Store) => Promise<T> | T) {
      told = [[], []]
      const between = before?.()
      const first = await outcome(() => ask(stores[0]))
      between?.()
      const second = await outcome(() => ask(stores[1]))
      if (!isDeepStrictEqual(first, second))
        expect({ what, said: first }).toStrictEqual({ what, said: second })
      if (!isDeepStrictEqual(told[0], told[1]))
        expect({ what, told: told[0] }).toStrictEqual({ what, told: told[1] })
      return 'answer' in second ? (second.answer as T) : undefined
    },
    async reopen() {
      stores = await openBoth()
    },
    stores: async () => stores,
  }
  return pair
}

async function outcome(ask: () => unknown): Promise<Outcome> {
  try {
    return { answer: await ask() }
  } catch {
    return { threw: true }
  }
}
