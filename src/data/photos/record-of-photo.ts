import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from '#data/database/database.ts'
import { keysOfId, viewOf } from '#data/changes/record-views.ts'

/** @returns the key of the record on the device that a photo belongs to; null where it is not there */
export async function recordOfPhoto(
  db: Database,
  { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>,
): Promise<string | null> {
  if (!isPushCollection(resource)) return null
  if (await viewOf(db, resource, recordKey)) return recordKey
  // the key of a record that was only read is its id, and another may hold that by now
  const [found] = await keysOfId(db, resource, recordKey)
  return found ?? null
}
