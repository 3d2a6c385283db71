/** Data that differs from the seed. One transaction runs at a time, also across tabs: each call is atomic. */
export interface DemoTransaction {
  get(key: string): Promise<unknown>
  write(changes: ReadonlyMap<string, unknown>): Promise<void>
  list(prefix: string): Promise<[key: string, value: unknown][]>
  clear(): Promise<void>
}

export type DemoStore = { transaction<T>(run: (tx: DemoTransaction) => Promise<T>): Promise<T> }

/** Returns a function that runs the functions passed to it one after the other. */
export function promiseQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run, run)
    last = next.catch(() => undefined)
    return next
  }
}

export function createMemoryStore(): DemoStore {
  const entries = new Map<string, unknown>()
  const queue = promiseQueue()
  const tx: DemoTransaction = {
    get: async (key) => structuredClone(entries.get(key)),
    write: async (changes) => {
      for (const [key, value] of changes)
        if (value === undefined) entries.delete(key)
        else entries.set(key, structuredClone(value))
    },
    list: async (prefix) =>
      [...entries]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]): [string, unknown] => [key, structuredClone(value)])
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    clear: async () => entries.clear(),
  }
  return { transaction: (run) => queue(() => run(tx)) }
}
