/**
 * Where the demo CRM keeps what differs from its seed: created records, edits, tokens, faults, files' bytes.
 * Everything happens in `transaction`, which runs one at a time (in the browser: over all tabs), so that the CRM
 * acts on each call as a whole.
 */
export interface DemoTransaction {
  get(key: string): Promise<unknown>
  /** All of them or none; undefined removes. */
  write(changes: ReadonlyMap<string, unknown>): Promise<void>
  /** Entries whose key starts with the prefix, sorted by key. */
  list(prefix: string): Promise<[key: string, value: unknown][]>
  clear(): Promise<void>
}

export interface DemoStore {
  /** Serialised; what `run` throws is passed on and the next one runs all the same. */
  transaction<T>(run: (tx: DemoTransaction) => Promise<T>): Promise<T>
}

/** One at a time, in the order asked. */
export function promiseQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run, run)
    last = next.catch(() => undefined)
    return next
  }
}

/** A store that lives as long as the process: for Node. Values are copied, so that nobody shares them. */
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
