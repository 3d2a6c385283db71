/** Runs the demo CRM in the browser, where it replaces the app's `fetch` in mode `demo`. */
import { Dexie, type Table } from 'dexie'
import { promiseQueue, type DemoStore, type DemoTransaction } from '#demo-crm/world/store.ts'
import { createDemoCrm, type DemoCrm, type DemoCrmEnv } from './demo-crm.ts'

const NAME = 'genba-demo-crm'
/** `npm run size` fails if this text is in a production build. */
const MARKER = 'demo-crm-marker'

/** @param now epoch ms */
export async function openBrowserDemoCrm(env: DemoCrmEnv, now: () => number): Promise<DemoCrm> {
  const store = await openBrowserStore()
  const writeMarker = () => store.transaction((tx) => tx.write(new Map([[MARKER, { since: now() }]])))
  await writeMarker()
  const crm = createDemoCrm({ env, store, now })
  const reset = async () => {
    await crm.reset()
    await writeMarker()
  }
  return { ...crm, reset }
}

/** Opens the store: a Dexie database, and a Web Lock that serialises the transactions of all tabs. */
async function openBrowserStore(): Promise<DemoStore> {
  const db = new Dexie(NAME)
  db.version(1).stores({ entries: 'key' })
  await db.open()
  const tx = transactionOn(db)
  const queue = promiseQueue()
  // Web Locks are missing without a secure context. Transactions are then serialised within this tab only.
  const locks: LockManager | undefined = globalThis.navigator?.locks
  return { transaction: (run) => (locks ? locks.request(NAME, () => run(tx)) : queue(() => run(tx))) }
}

function transactionOn(db: Dexie): DemoTransaction {
  const entries: Table<{ key: string; value: unknown }, string> = db.table('entries')
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
