/** What must not leave the device, because something unsent or a draft hangs on it (RULES SV3, EX1). */
import { pushCollections } from '#schemas/push-collections.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { pushedCollection, unsentRecords } from '../queue/queue-store.ts'

export interface Dependents {
  onRequest(request: { id: string; workingDate: string }): boolean
  /** Photos that the file store does not have as they are wanted, or what is being typed. */
  onRecord(resource: string, record: { key: string; serverId?: string }): boolean
}

export async function dependentsOf(db: SyncDatabase): Promise<Dependents> {
  const records = await unsentRecords(db)
  const photos = await db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const drafted = await draftedIds(db)
  const edited = drafted.size > 0 ? await recordsOf(db, drafted) : []
  const all = [...records, ...photos, ...edited]
  return {
    onRequest: ({ id, workingDate }) =>
      drafted.has(id) ||
      all.some(({ requestId, workingDate: day }) => requestId === id && (day === '' || day === workingDate)),
    onRecord: (resource, { key, serverId = '' }) =>
      drafted.has(key) ||
      (serverId !== '' && drafted.has(serverId)) ||
      photos.some((photo) => photo.resource === resource && photo.recordKey === key),
  }
}

/** Ids of what forms are open on: their keys are the paths of their screens. */
async function draftedIds(db: SyncDatabase): Promise<Set<string>> {
  const drafts = await db.drafts.find().exec()
  return new Set(drafts.flatMap(({ key, recordKey }) => [...key.split('/'), recordKey]).filter(Boolean))
}

async function recordsOf(db: SyncDatabase, ids: ReadonlySet<string>) {
  const inCollection = async (name: (typeof pushCollections)[number]) =>
    (await pushedCollection(db, name).find().exec()).filter(
      ({ key, serverId }) => ids.has(key) || ids.has(serverId),
    )
  return (await Promise.all(pushCollections.map(inCollection))).flat()
}
