/** Where an upload was sent, as its photo says, and whether a file is there (crm-contract 4: reading back). */
import { type } from 'arktype'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import { timestampIn } from '#schemas/resources/photo-name.ts'
import type { FileWire, PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredName } from '#schemas/stored-text.ts'
import type { FileResult, FileStore } from './file-store.ts'
import type { PhotoStore } from './photo-store.ts'

const place = type({ folderId: 'string', name: 'string' })
export type UploadPlace = typeof place.infer

const placeText = type('string.json.parse').to(place)

/** What the last call of a photo said; null where none left. */
export function sentPlace({ payload }: Pick<PhotoRecord, 'payload'>): UploadPlace | null {
  const parsed = payload === '' ? null : placeText(payload)
  return parsed === null || parsed instanceof type.errors ? null : parsed
}

/** @returns the id of the file that an upload in doubt has made; null where it made none */
export async function readUploadBack(
  { files, store }: { files: FileStore; store: PhotoStore },
  photo: PhotoRecord,
): Promise<FileResult<string | null>> {
  const sent = sentPlace(photo)
  if (!sent) return { kind: 'accepted', value: null }
  const taken = await takenFiles(store, photo)
  const mineIn = (lists: readonly FileWire[]) =>
    lists.find(({ file_seq, name }) => isStoredName(sent.name, name) && !taken.has(file_seq))?.file_seq
  // by the digits that make its name unique: a store may spell the rest differently
  const searched = await files.search(sent.folderId, timestampIn(sent.name) || sent.name, true)
  // a store that cannot search can still list; any other answer says nothing yet
  const { kind } = searched
  if (kind !== 'accepted' && kind !== 'refused' && kind !== 'missing') return searched
  const hits = searched.kind === 'accepted' ? searched.value : null
  const found = hits && mineIn(hits)
  if (found) return { kind: 'accepted', value: found }
  // what a search does not find may not be in its index yet: that it is absent the list says
  const index = await listed(files, sent.folderId)
  if (index.kind !== 'accepted') return index
  const mine = mineIn(index.value)
  const isOpen = wasCut(index.value) && (hits === null || wasCut(hits))
  return mine === undefined && isOpen ? UNKNOWN : { kind: 'accepted', value: mine ?? null }
}

/**
 * The files of the record's other photos. One that was only listed may be the file that an upload has made: its name is its
 * own within the record.
 */
export async function takenFiles(store: PhotoStore, photo: PhotoRecord): Promise<ReadonlySet<string>> {
  const all = await store.ofRecord(photo.resource, photo.recordKey)
  const others = all.filter((other) => other.key !== photo.key && !isOnlyListed(other))
  return new Set(others.map(({ fileSeq }) => fileSeq))
}

/** Found in a folder, and nothing was saved of it here. */
export const isOnlyListed = ({ stamp, unsent }: PhotoRecord): boolean => stamp === '' && unsent === 'no'

/** @returns the file of a photo as it is there now; undefined where there is none */
export async function readFile(
  { files }: { files: FileStore },
  { folderId, fileSeq }: PhotoRecord,
): Promise<FileResult<FileWire | undefined>> {
  const index = await listed(files, folderId)
  if (index.kind !== 'accepted') return index
  const found = index.value.find(({ file_seq }) => file_seq === fileSeq)
  return !found && wasCut(index.value) ? UNKNOWN : { kind: 'accepted', value: found }
}

const UNKNOWN = { kind: 'unknown', status: 200 } as const

/** As long as an answer may be: it was cut, and what is not in it may be there all the same (RULES PL11). */
export const wasCut = (index: readonly unknown[]): boolean => index.length >= ANSWER_ROWS_MAX

/** A folder that is not there holds no file: the file store itself says so (crm-contract 5); any other no is no answer. */
async function listed(files: FileStore, folderId: string): Promise<FileResult<FileWire[]>> {
  const index = await files.files(folderId, true)
  return index.kind === 'refused' && index.status === 200 ? { kind: 'accepted', value: [] } : index
}
