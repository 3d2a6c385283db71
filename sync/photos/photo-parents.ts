/**
 * Finds the folder for a record's photos in what the CRM last confirmed of the record (crm-contract 5): `filePath` if
 * present, otherwise the folder of the record's name under the parent folder of its kind.
 */
import { type } from 'arktype'
import { photoFolderWire } from '#schemas/resources/photo.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { PhotoParents } from './ports.ts'

export const photoParents = (store: Pick<QueueStore, 'record'>): PhotoParents => ({
  async folderOf(resource, recordKey) {
    const record = await store.record(resource, recordKey)
    if (!record) return { kind: 'gone' }
    if (!record.serverId) return { kind: 'wait' }
    const server = photoFolderWire(record.server)
    if (server instanceof type.errors) return { kind: 'unnamed' }
    if (server.filePath) return { kind: 'folder', id: server.filePath }
    const parentId = server.safetyFolderId || server.noteLocationFolderId || server.emergencyReportFolderId
    return parentId && server.name ? { kind: 'make', parentId, name: server.name } : { kind: 'unnamed' }
  },
})
