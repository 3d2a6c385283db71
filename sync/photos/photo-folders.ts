/**
 * Creates the folders for first uploads: one call for each name, even if several photos in several tabs start at
 * once. The ids are remembered. After a crash the file store returns the same folder again (crm-contract 5).
 */
import type { Locks } from '#sync/leadership/lease.ts'
import type { FileResult, FileStore } from './file-store.ts'

export interface PhotoFolders {
  /** The id of the folder of that name, which is created if necessary. */
  folderFor(parentId: string, name: string): Promise<FileResult<string>>
  /** Forgets all ids, because a folder may have been deleted: the next upload asks again. */
  forget(): void
}

export function createPhotoFolders(files: FileStore, locks: Locks): PhotoFolders {
  const known = new Map<string, string>()
  return {
    folderFor(parentId, name) {
      const path = `${parentId}/${name}`
      return locks.request(`genba-folder-${path}`, async (lease) => {
        const id = known.get(path)
        if (id !== undefined) return { kind: 'accepted', value: id }
        const result = await files.makeFolder(parentId, name, lease)
        if (result.kind === 'accepted') known.set(path, result.value)
        return result
      })
    },
    forget: () => known.clear(),
  }
}
