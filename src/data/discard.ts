/**
 * 破棄 at once of what never left the device, with a way back (元に戻す). Deleting is never put off: what waits could be sent
 * in between. It is done, and putting back is a save of its own:
 *
 *     破棄 ── a wish, carried out under the send lock ──→ discarded ── back: the same content under a new id, in its old place
 *                                                    └──→ accepted or in doubt: it has left, and nothing is put back
 *
 * The ledger's `payload` is written before the first call of a change leaves (sync RULES OC3) and is never taken away: a
 * row without one is of a change that nobody but this device ever had. So nothing reaches the CRM twice (SV2).
 */
import { filter, firstValueFrom, map } from 'rxjs'
import type { QueueItem } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/push-collections.ts'
import type { Database } from './database.ts'
import type { DraftPlace } from './drafts.ts'
import type { PhotoBytesTable } from './photo-bytes.ts'
import { pushedCollection } from './pushed-collection.ts'
import type { WayBack } from './way-back.ts'
import { wish } from './wishes.ts'

export type Place = DraftPlace & { newId: () => string }

export const neverLeft = (row: LedgerEntry | undefined) => row === undefined || row.payload === ''

/** It waits, and no call of it has ever left: deleting it asks for no question. */
export const isOnlyHere = ({ state, ledger }: QueueItem): boolean => state === 'waiting' && neverLeft(ledger)

/** 破棄 of a change that is only here, with what waits for it. */
export async function discardChange({ db, newId }: Place, item: QueueItem): Promise<WayBack> {
  const { resource, key } = item.record
  const before = isPushCollection(resource)
    ? (await pushedCollection(db, resource).findOne(key).exec())?.toMutableJSON()
    : undefined
  await wish(db, item, 'discard')
  return {
    async back() {
      const row = await carriedOut(db, item.change.id)
      if (row.state !== 'discarded' || !neverLeft(row) || !before) return 'left'
      await putBack(db, resource, before, newId)
      await resendPhotos(db, item)
      return 'back'
    },
    forget: async () => undefined,
  }
}

/** 破棄 of photos that are only here; their bytes are kept under other keys for the way back. */
export async function discardPhotos(
  { db, bytes, newId }: Place,
  items: readonly QueueItem[],
): Promise<WayBack> {
  const kept = await Promise.all(
    items.map(async ({ record, change }) => {
      const photo = (await db.photos.findOne(record.key).exec())?.toMutableJSON()
      const key = newId()
      await copyBytes(bytes, record.key, key)
      return { id: change.id, photo: photo && { ...photo, key }, key }
    }),
  )
  for (const item of items) await wish(db, item, 'discard')
  return {
    async back() {
      let gone = false
      for (const { id, photo, key } of kept) {
        const row = await carriedOut(db, id)
        if (row.state === 'discarded' && neverLeft(row) && photo) await db.photos.insert(photo)
        else {
          gone = true
          await bytes.remove(key)
        }
      }
      return gone ? 'left' : 'back'
    },
    async forget() {
      for (const { key } of kept) await bytes.remove(key)
    },
  }
}

/** The bytes once more under another key. What a crash leaves of it names no photo: the sweep takes it. */
export async function copyBytes(table: PhotoBytesTable, from: string, to: string): Promise<void> {
  const [bytes, thumb, origin] = await Promise.all([table.get(from), table.thumb(from), table.origin(from)])
  if (bytes) await table.put(to, bytes, { thumb, ...(origin && { origin }) })
}

/** The ledger's row once the wish was carried out. */
export const carriedOut = (db: Database, id: string): Promise<LedgerEntry> =>
  firstValueFrom(
    db.ledger.findOne(id).$.pipe(
      map((doc) => doc?.toMutableJSON() as LedgerEntry | undefined),
      filter((row) => row?.wish === 'none'),
      map((row) => row as LedgerEntry),
    ),
  )

/** The changes that died, as they were saved, but under ids that the ledger does not know. */
export async function putBack(
  db: Database,
  resource: string,
  before: PushableRecord,
  newId: () => string,
): Promise<void> {
  if (!isPushCollection(resource)) return
  const collection = pushedCollection(db, resource)
  const rows = await db.ledger.findByIds(before.changes.map(({ id }) => id)).exec()
  const now = await collection.findOne(before.key).exec()
  const missing = before.changes
    .filter(({ id }) => !now?.changes.some((change) => change.id === id))
    .filter(({ id }) => neverLeft(rows.get(id)?.toMutableJSON() as LedgerEntry | undefined))
    .map((change) => ({ ...change, id: newId() }))
  if (missing.length === 0) return
  const add = async (): Promise<void> => {
    const doc = await collection.insertIfNotExists({ ...before, changes: [], unsent: 'no' })
    const written = await doc.incrementalModify((record) => ({
      ...record,
      changes: [...record.changes, ...missing],
      unsent: 'yes',
    }))
    // a pull took the record away between the two writes: it is made anew (sync RULES SV3)
    if (written.deleted) await add()
  }
  await add()
}

/** Photos that lost their record meanwhile have it again. */
async function resendPhotos(db: Database, { record }: QueueItem): Promise<void> {
  const photos = await db.photos
    .find({ selector: { recordKey: record.key, resource: record.resource, unsent: 'yes' } })
    .exec()
  const rows = await db.ledger.findByIds(photos.map(({ key }) => key)).exec()
  for (const row of rows.values()) if (row.state === 'refused') await row.incrementalPatch({ wish: 'resend' })
}
