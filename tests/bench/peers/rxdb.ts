/** RxDB as it comes: its own Dexie storage, its own queries, and the app's schema. */
import { createRxDatabase, type RxCollection } from 'rxdb/plugins/core'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { pages, ROWS, rowOf, told, type Doc, type OpenedPeer, type Peer } from './peer.ts'

async function openRxdb() {
  const db = await createRxDatabase<{ requests: RxCollection<Doc> }>({
    name: 'peer-rxdb',
    storage: getRxStorageDexie(),
  })
  // as the app hands them over (data/database/database.ts)
  const definitions = (['requests'] as const).map((name) => [name, { schema: rxSchemas[name] }])
  await db.addCollections(Object.fromEntries(definitions))
  return db
}

export const peer: Peer = {
  async fill(docs) {
    const db = await openRxdb()
    for (const page of pages(docs, 50)) await db.requests.bulkInsert([...page])
    await db.close()
  },
  async open() {
    const db = await openRxdb()
    return opened(db.requests)
  },
}

function opened(requests: RxCollection<Doc>): OpenedPeer {
  const firstOf = (from: string) =>
    requests.find({ selector: { sortKey: { $gte: from } }, sort: [{ sortKey: 'asc' }], limit: ROWS })
  return {
    first: async (from) => (await firstOf(from).exec()).map(rowOf),
    async search({ place, flags }) {
      const found = await requests
        .find({
          selector: { locationName: { $regex: place }, orderFlag: { $in: [...flags] } },
          sort: [{ sortKey: 'asc' }],
        })
        .exec()
      return told(found)
    },
    async write(key, locationName) {
      const doc = await requests.findOne(key).exec(true)
      await doc.incrementalPatch({ locationName })
    },
    watch: (from, tell) =>
      new Promise((resolve) => {
        firstOf(from).$.subscribe((docs) => {
          tell(docs.map(rowOf))
          resolve()
        })
      }),
  }
}
