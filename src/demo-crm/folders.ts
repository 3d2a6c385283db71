/** The file store's folders, as the main API knows them: a record's photos lie in a folder of its name. */
import type { FolderRow } from './rows.ts'
import type { World } from './world.ts'

const MADE = 'fd-'

export const newFolderId = () => `${MADE}${crypto.randomUUID().slice(0, 18)}`

/** A folder of a name under another, or none. */
export const folderNamed = (world: World, parentId: string, name: string): FolderRow | undefined =>
  world
    .table('folders')
    .stored()
    .map(([, folder]) => folder)
    .find((folder) => folder.parentId === parentId && folder.name === name)

/** The top folders (of requests, areas, error logs) are always there; the others once they were made. */
export const isFolder = (world: World, id: string) =>
  !id.startsWith(MADE) || world.table('folders').get(id) !== undefined
