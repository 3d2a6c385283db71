/** Where an upload was sent, as the ledger keeps it, and whether a file is there (crm-contract 4: reading back). */
import { type } from 'arktype'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { FileResult, FileStore } from './file-store.ts'
import type { PhotoStore } from './photo-store.ts'

const place = type({ folderId: 'string', name: 'string' })
export type Place = typeof place.infer

const placeText = type('string.json.parse').to(place)

/** What the last call of a row said; null where none left. */
export function sentPlace(row: LedgerEntry | undefined): Place | null {
  const parsed = row?.payload ? placeText(row.payload) : null
  return parsed === null || parsed instanceof type.errors ? null : parsed
}

/** @returns the id of the file that an upload in doubt has made; null where it made none */
export async function readUploadBack(
  { files, store }: { files: FileStore; store: PhotoStore },
  photo: PhotoRecord,
  row: LedgerEntry | undefined,
): Promise<FileResult<string | null>> {
  const sent = sentPlace(row)
  if (!sent) return { kind: 'accepted', value: null }
  const index = await files.files(sent.folderId, true)
  // a folder that is not there holds no file
  if (index.kind === 'refused' || index.kind === 'missing') return { kind: 'accepted', value: null }
  if (index.kind !== 'accepted') return index
  const others = (await store.ofRecord(photo.resource, photo.recordKey)).filter(
    ({ key }) => key !== photo.key,
  )
  const mine = index.value.find(
    ({ file_seq, name }) => name === sent.name && !others.some(({ fileSeq }) => fileSeq === file_seq),
  )
  return { kind: 'accepted', value: mine?.file_seq ?? null }
}
