import type { PhotoRecord } from '#schemas/photo.ts'
import { isPushCollection } from '#schemas/push-collections.ts'
import type { Database } from './database.ts'
import { pushedCollection } from './pushed-collection.ts'

/** @returns the key of the record on the device that a photo belongs to; null where it is not there */
export async function recordOfPhoto(
  db: Database,
  { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>,
): Promise<string | null> {
  if (!isPushCollection(resource)) return null
  const collection = pushedCollection(db, resource)
  const own = await collection.findOne(recordKey).exec()
  // the key of a record that was only read is its id, and another may hold that by now
  const found = own ?? (await collection.findOne({ selector: { serverId: recordKey } }).exec())
  return found?.key ?? null
}
