/**
 * IndexedDB as far as locked data uses it (`src/data/locked`, `user-stores.ts`), over what lies sealed on a model phone. Each request and each
 * commit is a step of the page: it may take a while, or never come to an end.
 */
import type { SealedDisk } from './sealed-disk.ts'

interface Table {
  keyPath: string
  rows: Map<string, unknown>
}
type Step = (kind: 'read' | 'write') => Promise<void> | undefined
type Heard = (event: object) => void

class Told {
  private readonly listeners = new Map<string, Heard[]>()
  error: Error | null = null

  addEventListener(name: string, heard: Heard): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), heard])
  }

  tell(name: string): void {
    // as Dexie hears it
    const own: unknown = Reflect.get(this, `on${name}`)
    if (typeof own === 'function') own({ type: name })
    for (const heard of this.listeners.get(name) ?? []) heard({ type: name })
  }
}

class Asked extends Told {
  result: unknown
  transaction = { abort: () => undefined }
}

/** The tables that are no stores of RxDB: the bytes of photos, by the name of its database. */
export type BesideTables = Map<string, Map<string, Table>>

export function modelIdb(disks: () => Iterable<SealedDisk>, beside: BesideTables, step: Step): IDBFactory {
  const asked = (kind: 'read' | 'write', give: () => unknown): Asked => {
    const request = new Asked()
    void Promise.resolve(step(kind)).then(() => {
      request.result = give()
      request.tell('success')
    })
    return request
  }
  const tablesOf = (name: string): Map<string, Table> | undefined => {
    const store = [...disks()].flatMap(({ stores }) => stores.get(name) ?? [])[0]
    return store ? new Map([['docs', { keyPath: store.primary, rows: store.rows }]]) : beside.get(name)
  }
  const factory = {
    databases: async () =>
      [...[...disks()].flatMap(({ stores }) => [...stores.keys()]), ...beside.keys()].map((name) => ({
        name,
        version: 1,
      })),
    open: (name: string, version?: number) =>
      opening(name, version === undefined, { tablesOf, beside, asked }),
    deleteDatabase: (name: string) =>
      asked('write', () => {
        beside.delete(name)
        for (const { stores } of disks()) stores.delete(name)
      }),
  }
  // nothing else is called
  return factory as unknown as IDBFactory
}

interface Opening {
  tablesOf: (name: string) => Map<string, Table> | undefined
  beside: BesideTables
  asked: (kind: 'read' | 'write', give: () => unknown) => Asked
}

function opening(name: string, mustBeThere: boolean, { tablesOf, beside, asked }: Opening): Asked {
  const request = new Asked()
  const begin = () => {
    const known = tablesOf(name)
    if (!known && mustBeThere) {
      request.tell('upgradeneeded')
      request.error = new Error('aborted')
      return request.tell('error')
    }
    if (!known) beside.set(name, new Map())
    request.result = databaseOf(tablesOf(name) ?? new Map(), asked)
    if (!known) request.tell('upgradeneeded')
    request.tell('success')
  }
  queueMicrotask(begin)
  return request
}

function databaseOf(tables: Map<string, Table>, asked: Opening['asked']) {
  return {
    close: () => undefined,
    createObjectStore: (name: string, { keyPath }: { keyPath: string }) =>
      void tables.set(name, { keyPath, rows: new Map() }),
    objectStoreNames: Object.assign([...tables.keys()], { contains: (name: string) => tables.has(name) }),
    transaction(of: string | string[], mode = 'readonly') {
      const reads: Promise<void>[] = []
      const within: Opening['asked'] = (kind, give) => {
        const request = asked(kind, give)
        reads.push(new Promise((resolve) => request.addEventListener('success', () => resolve())))
        return request
      }
      const transaction = Object.assign(new Told(), {
        objectStore: (table = [of].flat()[0] ?? '') =>
          storeOf(tables.get(table) ?? { keyPath: 'key', rows: new Map() }, within),
        abort: () => transaction.tell('abort'),
      })
      // once all that was asked in it is answered
      const complete = async () => {
        for (let seen = -1; seen < reads.length;) {
          seen = reads.length
          await Promise.all(reads)
        }
        asked('write', () => transaction.tell('complete'))
      }
      if (mode === 'readwrite') queueMicrotask(() => void complete())
      return transaction
    },
  }
}

/** Writes are done at once, and are on disk when their transaction is: a page that dies has done them, or not begun. */
function storeOf({ keyPath, rows }: Table, asked: Opening['asked']) {
  const sorted = () => [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    keyPath,
    get: (key: string) => asked('read', () => rows.get(key)),
    getAllKeys: () => asked('read', () => sorted().map(([key]) => key)),
    getAll: (after: string | null = null, count = Infinity) =>
      asked('read', () =>
        sorted()
          .filter(([key]) => after === null || key > after)
          .slice(0, count)
          .map(([, row]) => row),
      ),
    openCursor() {
      const request = new Asked()
      const keys = [...rows.keys()]
      const at = (place: number) => {
        const key = keys[place]
        const step = asked('read', () => key)
        step.addEventListener('success', () => {
          request.result =
            key === undefined
              ? null
              : { primaryKey: key, delete: () => void rows.delete(key), continue: () => at(place + 1) }
          request.tell('success')
        })
      }
      at(0)
      return request
    },
    put: (row: object) => void rows.set(String(Reflect.get(row, keyPath)), row),
    delete: (key: string) => void rows.delete(key),
    clear: () => rows.clear(),
  }
}

/** `IDBKeyRange`, of which only this is used: what comes after a key. */
export const modelRanges = { lowerBound: (after: string) => after } as unknown as typeof IDBKeyRange
