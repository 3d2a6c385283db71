/** What is written of a photo once the ledger says what became of it (RULES OC1). */
import type { LedgerEntry } from '#schemas/changes/ledger-entry.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import type { AttemptEnd } from '#sync/changes/send-adapter.ts'
import { isOnlyListed, sentPlace, type UploadPlace } from './photo-place.ts'
import type { PhotoStore } from './photo-store.ts'

interface Settling {
  store: PhotoStore
}

/** @param place where it was sent */
export async function putUpload(
  { store }: Settling,
  { key, name, resource, recordKey }: PhotoRecord,
  fileSeq: string,
  place: UploadPlace | null | undefined,
): Promise<void> {
  const sent = place ?? { folderId: '', name }
  await store.modify(key, (latest) => ({ ...latest, fileSeq, folderId: sent.folderId, storeName: sent.name }))
  // the folder was listed while nobody knew that the file is this one
  for (const other of await store.ofRecord(resource, recordKey))
    if (other.key !== key && other.fileSeq === fileSeq && isOnlyListed(other)) await store.remove(other.key)
  await store.bytes.release(key)
}

/** The upload that the ledger has accepted. */
export async function settleUpload(
  work: Settling,
  photo: PhotoRecord,
  row: LedgerEntry,
): Promise<AttemptEnd> {
  await putUpload(work, photo, row.serverId, sentPlace(row))
  return { kind: 'more' }
}

export async function dropPhoto({ store }: Settling, { key }: PhotoRecord): Promise<Step> {
  await store.remove(key)
  return { kind: 'done' }
}

/** Ends the id of what a discarded deletion leaves to be sent; the same after a crash. */
const KEPT = '-kept'

/** 破棄 of a rename or a deletion that the file store has not done; what was saved meanwhile stays (RULES SV3). */
export async function takeBack(
  store: PhotoStore,
  { id, kind, recordKey }: LedgerEntry,
  settledAt: string,
): Promise<void> {
  await store.modify(recordKey, (photo) => {
    if (photo.changeId !== id) return photo
    if (kind === 'rename') return { ...photo, name: photo.storeName }
    // a name that was saved before it may still have to be sent, now or once its upload is found: as a change of its own
    return { ...photo, wanted: 'kept', changeId: `${id}${KEPT}` }
  })
  // the wish goes last: what a crash cuts short is done again
  await store.ledger.tell(id, 'discarded', { wish: 'none', settledAt })
}
