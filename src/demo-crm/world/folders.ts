/** The folders of the file store, as seen by the main API: a record's photos are in a folder named after it. */
import type { FolderRow } from './rows.ts'
import type { World } from './world.ts'

/** Beginning of the ids of created folders. */
const CREATED = 'fd-'

export const newFolderId = () => `${CREATED}${crypto.randomUUID().slice(0, 18)}`

/** Returns the folder with a name under a parent, if there is one. */
export const folderNamed = (world: World, parentId: string, name: string): FolderRow | undefined =>
  world
    .table('folders')
    .stored()
    .map(([, folder]) => folder)
    .find((folder) => folder.parentId === parentId && folder.name === name)

/**
 * True if a folder exists. The top folders (requests, areas, error logs) always exist; others must have been created.
 */
export const isFolder = (world: World, id: string) =>
  !id.startsWith(CREATED) || world.table('folders').get(id) !== undefined
