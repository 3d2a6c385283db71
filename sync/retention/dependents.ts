/**
 * Records that must stay on the device because something unsent or a draft depends on them (RULES SV3, EX1).
 */
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { visitIn, visitKey, visitOfDraft } from '#schemas/resources/visit-key.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { openChanges, pulledCollection } from '#sync/changes/change-store.ts'

interface Dependents {
  onRequest(request: { id: string; workingDate: string }): boolean
  /** True for a record with unsent changes, unsent photos or a draft. */
  onRecord(resource: string, record: { key: string; serverId?: string }): boolean
}

/** Reads what is unsent and drafted, and returns the tests. */
export async function dependentsOf(db: SyncDatabase): Promise<Dependents> {
  const changes = await openChanges(db)
  const photos = await db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const drafted = await draftedIds(db)
  const edited = drafted.size > 0 ? await recordsOf(db, drafted) : []
  const all = [...changes, ...photos, ...edited]
  return {
    onRequest: ({ id, workingDate }) =>
      drafted.has(id) ||
      drafted.has(visitKey(id, workingDate)) ||
      all.some(({ requestId, workingDate: day }) => requestId === id && (day === '' || day === workingDate)),
    onRecord: (resource, { key, serverId = '' }) =>
      drafted.has(key) ||
      changes.some((change) => change.resource === resource && change.recordKey === key) ||
      (serverId !== '' && drafted.has(serverId)) ||
      photos.some((photo) => photo.resource === resource && photo.recordKey === key),
  }
}

/**
 * Ids and keys in the keys of drafts, which are built like the URLs of their screens. A safety measure's key
 * also contains its visit.
 */
async function draftedIds(db: SyncDatabase): Promise<Set<string>> {
  const drafts = (await db.drafts.find().exec()).filter(({ key }) => visitOfDraft(key) === null)
  const named = drafts.flatMap(({ key, recordKey }) => [...key.split('/'), recordKey]).filter(Boolean)
  const visits = named.flatMap((part) => {
    const visit = visitIn(part)
    return visit ? visitKey(visit.requestId, visit.workingDate) : []
  })
  return new Set([...named, ...visits])
}

async function recordsOf(db: SyncDatabase, ids: ReadonlySet<string>) {
  const inCollection = async (name: (typeof pushCollections)[number]) =>
    (await pulledCollection(db, name).find().exec()).filter(
      ({ key, serverId }) => ids.has(key) || ids.has(serverId),
    )
  return (await Promise.all(pushCollections.map(inCollection))).flat()
}
