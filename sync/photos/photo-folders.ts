/**
 * The folders that first uploads make: one call for each name, also when several photos start at the same time, in any
 * tab; what was made is remembered, and after a crash the file store gives the same node again (crm-contract 5).
 */
import type { Locks } from '#sync/leadership/lease.ts'
import type { FileResult, FileStore } from './file-store.ts'

export interface PhotoFolders {
  /** The id of the folder of that name. */
  made(parentId: string, name: string): Promise<FileResult<string>>
  /** A folder may be there no more: the next upload asks again. */
  forget(): void
}

export function createPhotoFolders(files: FileStore, locks: Locks): PhotoFolders {
  const known = new Map<string, string>()
  return {
    made(parentId, name) {
      const path = `${parentId}/${name}`
      return locks.request(`genba-folder-${path}`, async (hold) => {
        const id = known.get(path)
        if (id !== undefined) return { kind: 'accepted', value: id }
        const result = await files.makeFolder(parentId, name, hold)
        if (result.kind === 'accepted') known.set(path, result.value)
        return result
      })
    },
    forget: () => known.clear(),
  }
}
