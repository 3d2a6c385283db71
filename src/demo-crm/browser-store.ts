/** The demo's store in the browser: its own Dexie database, and a Web Lock so that tabs take turns. */
import { Dexie, type Table } from 'dexie'
import { promiseQueue, type DemoStore, type DemoTransaction } from './store.ts'

const NAME = 'genba-demo-crm'

interface Entry {
  key: string
  value: unknown
}

/** @throws where the browser refuses the database */
export async function openBrowserStore(): Promise<DemoStore> {
  const db = new Dexie(NAME)
  db.version(1).stores({ entries: 'key' })
  await db.open()
  const tx = transactionOn(db)
  const queue = promiseQueue()
  // No locks outside secure contexts: then this tab's calls take turns among themselves.
  const locks: LockManager | undefined = globalThis.navigator?.locks
  const alone = <T>(run: () => Promise<T>): Promise<T> => (locks ? locks.request(NAME, run) : run())
  return { transaction: (run) => queue(() => alone(() => run(tx))) }
}

function transactionOn(db: Dexie): DemoTransaction {
  const entries: Table<Entry, string> = db.table('entries')
  return {
    get: async (key) => (await entries.get(key))?.value,
    write: (changes) =>
      db.transaction('rw', entries, async () => {
        const all = [...changes].map(([key, value]) => ({ key, value }))
        await entries.bulkDelete(all.filter(({ value }) => value === undefined).map(({ key }) => key))
        await entries.bulkPut(all.filter(({ value }) => value !== undefined))
      }),
    list: async (prefix) => {
      const found = await entries.where('key').startsWith(prefix).sortBy('key')
      return found.map(({ key, value }): [string, unknown] => [key, value])
    },
    clear: () => entries.clear(),
  }
}
