/** The floor: IndexedDB without any library. */
import { matches, ROWS, rowOf, told, type Doc, type OpenedPeer, type Peer, type Row } from './peer.ts'

const NAME = 'peer-idb'

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })

const done = (transaction: IDBTransaction) =>
  new Promise((resolve) => transaction.addEventListener('complete', resolve))

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME)
  opening.addEventListener('upgradeneeded', () =>
    opening.result.createObjectStore('docs', { keyPath: 'key' }).createIndex('sortKey', 'sortKey'),
  )
  return settled(opening)
}

export const peer: Peer = {
  async fill(docs) {
    const db = await openDatabase()
    const transaction = db.transaction('docs', 'readwrite')
    for (const doc of docs) transaction.objectStore('docs').put(doc)
    await done(transaction)
    db.close()
  },
  open: async () => opened(await openDatabase()),
}

function opened(db: IDBDatabase): OpenedPeer {
  const watchers = new Set<() => Promise<void>>()
  const index = () => db.transaction('docs').objectStore('docs').index('sortKey')
  const first = async (from: string): Promise<Row[]> => {
    const docs: Doc[] = await settled(index().getAll(IDBKeyRange.lowerBound(from), ROWS))
    return docs.map(rowOf)
  }
  return {
    first,
    async search(filter) {
      const docs: Doc[] = await settled(index().getAll())
      return told(docs.filter(matches(filter)))
    },
    async write(key, locationName) {
      const transaction = db.transaction('docs', 'readwrite')
      const store = transaction.objectStore('docs')
      const doc: Doc = await settled(store.get(key))
      store.put({ ...doc, locationName })
      await done(transaction)
      for (const look of watchers) void look()
    },
    async watch(from, tell) {
      const look = async () => tell(await first(from))
      await look()
      watchers.add(look)
    },
  }
}
