/** What must not leave the device, because something unsent hangs on it (RULES SV3, EX1). */
import type { SyncDatabase } from './database.ts'
import { unsentRecords } from './queue-store.ts'

export interface Hanging {
  onRequest(request: { id: string; workingDate: string }): boolean
  /** Photos that the file store does not have as they are wanted. */
  onRecord(resource: string, key: string): boolean
}

export async function hanging(db: SyncDatabase): Promise<Hanging> {
  const records = await unsentRecords(db)
  const photos = await db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const all = [...records, ...photos]
  return {
    onRequest: ({ id, workingDate }) =>
      all.some(({ requestId, workingDate: day }) => requestId === id && (day === '' || day === workingDate)),
    onRecord: (resource, key) =>
      photos.some((photo) => photo.resource === resource && photo.recordKey === key),
  }
}
