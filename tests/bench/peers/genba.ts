/** The app's own layer: RxDB over the device's storage, the small rows of its lists, and its filter. */
import { matcherOf } from '#schemas/resources/request-search.ts'
import { firstValueFrom } from 'rxjs'
import { openDatabase, type Database } from '#data/database/database.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { pages, ROWS, rowOf, told, type OpenedPeer, type Peer, type Row } from './peer.ts'

const openApp = () => openDatabase({ name: 'peer-genba', storage: createStorage(), multiInstance: true })

export const peer: Peer = {
  async fill(docs) {
    const db = await openApp()
    for (const page of pages(docs, 50)) await db.requests.bulkInsert([...page])
    await db.close()
  },
  open: async () => opened(await openApp()),
}

function firstOf(rows: readonly (Row & { sortKey: string })[], from: string): Row[] {
  const at = rows.findIndex(({ sortKey }) => sortKey >= from)
  return at < 0 ? [] : rows.slice(at, at + ROWS).map(rowOf)
}

function opened(db: Database): OpenedPeer {
  const all$ = requestRows$(db)
  // a screen with the list looks all the time
  all$.subscribe()
  return {
    async first(from) {
      const { rows } = await firstValueFrom(all$)
      return firstOf(rows, from)
    },
    async search({ place, flags }) {
      const { rows, fold } = await firstValueFrom(all$)
      const days = { from: '', to: '', requestCode: '', customerName: '', emergencyOnly: false }
      return told(rows.filter(matcherOf({ ...days, locationName: place, orderFlags: [...flags] }, fold)))
    },
    async write(key, locationName) {
      const doc = await db.requests.findOne(key).exec(true)
      await doc.incrementalPatch({ locationName })
    },
    watch: (from, tell) =>
      new Promise((resolve) => {
        all$.subscribe(({ rows }) => {
          tell(firstOf(rows, from))
          resolve()
        })
      }),
  }
}
