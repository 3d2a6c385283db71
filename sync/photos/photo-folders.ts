/**
 * The folder for a record's photos (crm-contract 5). First uploads create it: one call for each name, even if several
 * photos in several tabs start at once. The ids are remembered. After a crash the file store returns the same folder
 * again.
 */
import { type } from 'arktype'
import { photoFolderWire } from '#schemas/resources/photo.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import type { FileResult, FileStore } from './file-store.ts'

/**
 * The folder for a record's photos. `folder`: it exists. `make`: the first upload creates it under the parent.
 * `wait`: the CRM does not have the record yet (RULES OR2). `unnamed`: the CRM has the record but names no folder
 * (EX2). `no-record`: the device no longer has the record.
 */
export type PhotoFolder =
  | { kind: 'folder'; id: string }
  | { kind: 'make'; parentId: string; name: string }
  | { kind: 'wait' }
  | { kind: 'unnamed' }
  | { kind: 'no-record' }

export interface PhotoParents {
  folderOf(resource: string, recordKey: string): Promise<PhotoFolder>
}

/**
 * Finds the folder in what the CRM last confirmed of the record: `filePath` if present, otherwise the folder of the
 * record's name under the parent folder of its kind.
 */
export const photoParents = (store: Pick<QueueStore, 'record'>): PhotoParents => ({
  async folderOf(resource, recordKey) {
    const record = await store.record(resource, recordKey)
    if (!record) return { kind: 'no-record' }
    if (!record.serverId) return { kind: 'wait' }
    const server = photoFolderWire(record.server)
    if (server instanceof type.errors) return { kind: 'unnamed' }
    if (server.filePath) return { kind: 'folder', id: server.filePath }
    const parentId = server.safetyFolderId || server.noteLocationFolderId || server.emergencyReportFolderId
    return parentId && server.name ? { kind: 'make', parentId, name: server.name } : { kind: 'unnamed' }
  },
})

export type PhotoFolders = ReturnType<typeof createPhotoFolders>

export function createPhotoFolders(files: FileStore, locks: Locks) {
  const known = new Map<string, string>()
  return {
    /** The id of the folder of that name, which is created if necessary. */
    folderFor(parentId: string, name: string): Promise<FileResult<string>> {
      const path = `${parentId}/${name}`
      return locks.request(`genba-folder-${path}`, async (lease) => {
        const id = known.get(path)
        if (id !== undefined) return { kind: 'accepted', value: id }
        const result = await files.makeFolder(parentId, name, lease)
        if (result.kind === 'accepted') known.set(path, result.value)
        return result
      })
    },
    /** Forgets all ids, because a folder may have been deleted: the next upload asks again. */
    forget: () => known.clear(),
  }
}
