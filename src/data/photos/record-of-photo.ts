import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from '#data/database/database.ts'
import { keysOfId, viewOf } from '#data/changes/record-views.ts'

/** @returns the key of the device's record that a photo belongs to; null if the device has no such record */
export async function recordOfPhoto(
  db: Database,
  { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>,
): Promise<string | null> {
  if (!isPushCollection(resource)) return null
  if (await viewOf(db, resource, recordKey)) return recordKey
  // `recordKey` may be the CRM's id of a record that was only read; another record may have that id by now
  const [found] = await keysOfId(db, resource, recordKey)
  return found ?? null
}
