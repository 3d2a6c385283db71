/** Folders of the file store. Each record with photos has a folder that is named after the record. */
import type { FolderRow } from './rows.ts'
import type { World } from './world.ts'

/** Prefix of the ids of folders that calls have created. */
const CREATED = 'fd-'

export const newFolderId = () => `${CREATED}${crypto.randomUUID().slice(0, 18)}`

/** Returns the folder with this name in a parent folder; undefined if there is none. */
export const folderNamed = (world: World, parentId: string, name: string): FolderRow | undefined =>
  world
    .table('folders')
    .stored()
    .map(([, folder]) => folder)
    .find((folder) => folder.parentId === parentId && folder.name === name)

/**
 * True if a folder exists. The top folders for requests, areas and error logs always exist; calls create all others.
 */
export const isFolder = (world: World, id: string) =>
  !id.startsWith(CREATED) || world.table('folders').get(id) !== undefined
