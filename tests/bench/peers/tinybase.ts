/**
 * TinyBase with its IndexedDB persister: all documents in memory, cells instead of nested objects, so what no list shows is
 * one cell of JSON. The whole store is written with each change, as the persister does.
 */
import { createStore, type Store } from 'tinybase'
import { createIndexedDbPersister } from 'tinybase/persisters/persister-indexed-db'
import { matches, ROWS, rowOf, told, type Doc, type OpenedPeer, type Peer } from './peer.ts'

const TABLE = 'docs'
const persisterOf = (store: Store) => createIndexedDbPersister(store, 'peer-tinybase')

const cellsOf = (doc: Doc) => ({
  key: doc.key,
  sortKey: doc.sortKey,
  locationName: doc.locationName,
  orderFlag: doc.orderFlag ?? '',
  json: JSON.stringify(doc),
})
type Cells = ReturnType<typeof cellsOf>

export const peer: Peer = {
  async fill(docs) {
    const store = createStore()
    store.transaction(() => {
      for (const doc of docs) store.setRow(TABLE, doc.key, cellsOf(doc))
    })
    const persister = persisterOf(store)
    await persister.save()
    await persister.destroy()
  },
  async open() {
    const store = createStore()
    const persister = persisterOf(store)
    await persister.load()
    return opened(store, async () => void (await persister.save()))
  },
}

function opened(store: Store, save: () => Promise<void>): OpenedPeer {
  const row = (id: string) => store.getRow(TABLE, id) as Cells
  const sorted = () => store.getSortedRowIds(TABLE, 'sortKey')
  const firstNow = (from: string) => {
    const ids = sorted()
    const at = ids.findIndex((id) => row(id).sortKey >= from)
    return ids.slice(at, at + ROWS).map((id) => rowOf(row(id)))
  }
  return {
    first: async (from) => firstNow(from),
    async search(filter) {
      return told(sorted().map(row).filter(matches(filter)))
    },
    async write(key, locationName) {
      store.setCell(TABLE, key, 'locationName', locationName)
      await save()
    },
    async watch(from, tell) {
      store.addTableListener(TABLE, () => tell(firstNow(from)))
      tell(firstNow(from))
    },
  }
}
