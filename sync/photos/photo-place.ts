/** Finds the folder for a record's photos, and reads in it whether a photo has arrived (crm-contract 4). */
import { type } from 'arktype'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import { timestampIn } from '#schemas/resources/photo-name.ts'
import { type FileWire, type PhotoRecord, photoFolderWire } from '#schemas/resources/photo.ts'
import { isStoredName } from '#schemas/stored-text.ts'
import type { FileResult, FileStore } from './file-store.ts'
import type { PhotoStore } from './photo-store.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import { ABSENT, type ReadBack } from '#sync/changes/send-adapter.ts'
import type { Locks } from '#sync/leadership/lease.ts'

const placeText = type('string.json.parse').to({ folderId: 'string', name: 'string' })
export type UploadPlace = typeof placeText.infer

/** The folder and name in the photo's last call; null before the first call. */
export function sentPlace({ payload }: Pick<PhotoRecord, 'payload'>): UploadPlace | null {
  const parsed = payload === '' ? null : placeText(payload)
  return parsed === null || parsed instanceof type.errors ? null : parsed
}

/** What a call has made: the id of the file in the file store, and the folder and name that were sent. */
export type Made = { id: string; place: UploadPlace }

/** Reads whether an upload without an answer has created its file. */
export async function readUploadBack(
  { files, store }: { files: FileStore; store: PhotoStore },
  photo: PhotoRecord,
): Promise<ReadBack<Made>> {
  const place = sentPlace(photo)
  if (!place) return ABSENT
  const taken = await takenFiles(store, photo)
  const uploadedIn = (list: readonly FileWire[]) =>
    list.find(({ file_seq, name }) => isStoredName(place.name, name) && !taken.has(file_seq))?.file_seq
  // The search uses only the digits that make the name unique, because the file store may change other characters.
  const searched = await files.search(place.folderId, timestampIn(place.name) || place.name, true)
  // After a refused search the folder can still be listed. After any other failure the list would fail as well.
  const { kind } = searched
  if (kind !== 'accepted' && kind !== 'refused' && kind !== 'missing')
    return { kind: 'failed', outcome: searched }
  const hits = searched.kind === 'accepted' ? searched.value : null
  const hit = hits && uploadedIn(hits)
  if (hit) return { kind: 'there', made: { id: hit, place } }
  // A search index may be outdated, so only the folder's list proves that the file is absent.
  const index = await readFolder(files, place.folderId)
  if (index.kind !== 'accepted') return { kind: 'failed', outcome: index }
  const id = uploadedIn(index.value)
  if (id !== undefined) return { kind: 'there', made: { id, place } }
  return wasCut(index.value) && (hits === null || wasCut(hits)) ? UNLISTED : ABSENT
}

/** File ids of the record's other photos, without listed ones: a listed file may come from an ambiguous upload. */
export async function takenFiles(store: PhotoStore, photo: PhotoRecord): Promise<ReadonlySet<string>> {
  const all = await store.ofRecord(photo.resource, photo.recordKey)
  const others = all.filter((other) => other.key !== photo.key && !isOnlyListed(other))
  return new Set(others.map(({ fileSeq }) => fileSeq))
}

/** True if the photo comes from a folder's list and nobody has changed it on this device. */
export const isOnlyListed = ({ stamp, unsent }: PhotoRecord): boolean => stamp === '' && unsent === 'no'

/**
 * Reads whether a rename or deletion was carried out. If so, it is accepted, even after 24 hours (EX2).
 * @param isDone gets the file's name in the folder; undefined if the folder has no such file
 */
export async function readFileBack(
  { files }: { files: FileStore },
  { folderId, fileSeq: id, name }: PhotoRecord,
  isDone: (name: string | undefined) => boolean,
): Promise<ReadBack<Made>> {
  const index = await readFolder(files, folderId)
  if (index.kind !== 'accepted') return { kind: 'failed', outcome: index }
  const found = index.value.find(({ file_seq }) => file_seq === id)
  if (!found && wasCut(index.value)) return UNLISTED
  return isDone(found?.name) ? { kind: 'there', made: { id, place: { folderId, name } } } : ABSENT
}

/** The file may exist without being listed. */
const UNLISTED = { kind: 'failed', outcome: { kind: 'unknown', status: 200 } } as const

/** True if the list has the maximum length, so that further files may exist (RULES PL11). */
export const wasCut = (list: readonly unknown[]): boolean => list.length >= ANSWER_ROWS_MAX

/** Reads the list of a folder. If the file store itself refuses, it has no such folder (crm-contract 5). */
async function readFolder(files: FileStore, folderId: string): Promise<FileResult<FileWire[]>> {
  const index = await files.files(folderId, true)
  return index.kind === 'refused' && index.status === 200 ? { kind: 'accepted', value: [] } : index
}

/**
 * The folder for a record's photos. `folder`: it exists. `make`: the first upload creates it under `parentId`.
 * `wait`: the CRM does not have the record yet (RULES OR2). `unnamed`: the CRM has the record but gives no folder for
 * it (EX2). `no-record`: the device no longer has the record.
 */
export type PhotoFolder =
  | { kind: 'folder'; id: string }
  | { kind: 'make'; parentId: string; name: string }
  | { kind: 'wait' | 'unnamed' | 'no-record' }

export interface PhotoParents {
  folderOf(resource: string, recordKey: string): Promise<PhotoFolder>
}

/** Finds the folder in the record: by its id `filePath`, else by the record's name in the parent folder of its kind. */
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

/** Creates folders at their first upload (crm-contract 5). Uploads in several tabs share one call for each name. */
export function createPhotoFolders(files: FileStore, locks: Locks) {
  const known = new Map<string, string>()
  return {
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
    /** Forgets all ids, because a folder may have been deleted. */
    forget: () => known.clear(),
  }
}
