/** Dexie alone, with its own live queries. */
import { Dexie, liveQuery, type Table } from 'dexie'
import { matches, ROWS, rowOf, told, type Doc, type OpenedPeer, type Peer } from './peer.ts'

function openDexie(): Dexie {
  const dexie = new Dexie('peer-dexie')
  dexie.version(1).stores({ docs: 'key, sortKey' })
  return dexie
}

export const peer: Peer = {
  async fill(docs) {
    const dexie = openDexie()
    await dexie.table('docs').bulkPut([...docs])
    dexie.close()
  },
  async open() {
    const dexie = openDexie()
    await dexie.open()
    return opened(dexie.table('docs'))
  },
}

function opened(docs: Table<Doc, string>): OpenedPeer {
  const first = async (from: string) => {
    const found = await docs.where('sortKey').aboveOrEqual(from).limit(ROWS).toArray()
    return found.map(rowOf)
  }
  return {
    first,
    async search(filter) {
      return told(await docs.orderBy('sortKey').filter(matches(filter)).toArray())
    },
    async write(key, locationName) {
      await docs.update(key, { locationName })
    },
    watch: (from, tell) =>
      new Promise((resolve, reject) => {
        liveQuery(() => first(from)).subscribe({
          next(rows) {
            tell(rows)
            resolve()
          },
          error: reject,
        })
      }),
  }
}
