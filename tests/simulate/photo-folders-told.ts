/**
 * A quick report stands for every kind of record that holds photos: of one the CRM names the folder itself, for another
 * a folder is to be made. The device knows it once the record was read again (`record-lists.ts`), a while after it was
 * sent.
 */
import { photoParents, type PhotoParents } from '#sync/photos/photo-place.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { Disk } from './disk.ts'

const PARENT = 'notes'

export type ToldFolder = { filePath: string } | { name: string; noteLocationFolderId: string }

export const toldFolder = (requestId: string): ToldFolder =>
  Number(requestId.at(-1)) % 2 === 1
    ? { filePath: `path-${requestId}` }
    : { name: `NOTE-${requestId}`, noteLocationFolderId: PARENT }

/** The real `photoParents`, on records as the CRM tells of them. */
export const toldParents = (disk: Disk, store: Pick<QueueStore, 'record'>): PhotoParents =>
  photoParents({
    async record(resource, key) {
      const record = await store.record(resource, key)
      if (!record?.server || !disk.readAgain.has(key)) return record
      return { ...record, server: { ...record.server, ...toldFolder(record.requestId) } }
    },
  })
