/** PouchDB with its own queries (pouchdb-find) and its own feed of changes. */
import PouchDB from 'pouchdb-browser'
import find from 'pouchdb-find'
import { pages, ROWS, rowOf, told, type Doc, type OpenedPeer, type Peer } from './peer.ts'

PouchDB.plugin(find)

const open = () => new PouchDB<Doc>('peer-pouchdb')
type Pouch = ReturnType<typeof open>

export const peer: Peer = {
  async fill(docs) {
    const db = open()
    for (const page of pages(docs)) await db.bulkDocs(page.map((doc) => ({ ...doc, _id: doc.key })))
    await db.createIndex({ index: { fields: ['sortKey'] } })
    // the index is made with the first question
    await db.find({ selector: { sortKey: { $gte: '' } }, limit: 1 })
    await db.close()
  },
  open: async () => opened(open()),
}

function opened(db: Pouch): OpenedPeer {
  const first = async (from: string) => {
    const { docs } = await db.find({
      selector: { sortKey: { $gte: from } },
      sort: ['sortKey'],
      limit: ROWS,
    })
    return docs.map(rowOf)
  }
  return {
    first,
    async search({ place, flags }) {
      const { docs } = await db.find({
        selector: { sortKey: { $gte: '' }, locationName: { $regex: place }, orderFlag: { $in: [...flags] } },
        sort: ['sortKey'],
      })
      return told(docs)
    },
    async write(key, locationName) {
      const doc = await db.get(key)
      await db.put({ ...doc, locationName })
    },
    async watch(from, tell) {
      tell(await first(from))
      db.changes({ since: 'now', live: true }).on('change', () => void first(from).then(tell))
    },
  }
}
