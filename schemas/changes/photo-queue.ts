/**
 * What of a photo is unsent, and where that stands: the photo's part of 送信状況 (sync RULES ST1). One function for the
 * lane that sends and the screens that show. Without ArkType: the first screen counts what is unsent.
 */
import { SEND_STATE, type QueueItem } from './change-queue.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

/** The collection, as ledger rows name it. */
export const PHOTOS = 'photos'

/** The reason in the ledger of a photo that waits because the file store takes no token, not even a fresh one. */
export const FILES_REFUSED = 'filesRefused'

/** True if one of these waits because the file store takes no token. */
export const waitsForFiles = (items: readonly QueueItem[]): boolean =>
  items.some(({ state, ledger }) => state === 'waiting' && ledger?.reasons.includes(FILES_REFUSED))

export type PhotoAct = 'upload' | 'rename' | 'delete'

/** What has to be done in the file store; null when it has what is wanted. */
export function photoAct({
  wanted,
  fileSeq,
  name,
  storeName,
}: Pick<PhotoRecord, 'wanted' | 'fileSeq' | 'name' | 'storeName'>): PhotoAct | null {
  if (wanted === 'deleted') return 'delete'
  if (fileSeq === '') return 'upload'
  return name === storeName ? null : 'rename'
}

/** The photo, with `unsent` as it follows from the rest. */
export const withUnsent = (photo: PhotoRecord): PhotoRecord => ({
  ...photo,
  unsent: photoAct(photo) ? 'yes' : 'no',
})

/** The ledger's key: one row for the upload, whatever is saved meanwhile, and one for each later change. */
export const photoChangeId = ({ key, changeId }: Pick<PhotoRecord, 'key' | 'changeId'>, act: PhotoAct) =>
  act === 'upload' ? key : changeId

/** The unsent act of a photo as an item of the queue; null when nothing is unsent. */
export function photoItem(photo: PhotoRecord, ledger: ReadonlyMap<string, LedgerEntry>): QueueItem | null {
  const act = photoAct(photo)
  if (!act) return null
  const { key, requestId, workingDate, fileSeq, unsent, stamp, savedAt, userId, offline } = photo
  const id = photoChangeId(photo, act)
  const entry = ledger.get(id)
  return {
    record: { resource: PHOTOS, key, requestId, workingDate, serverId: fileSeq, changes: [], unsent },
    change: { id, stamp, savedAt, userId, offline, kind: act, fields: {} },
    state: entry ? SEND_STATE[entry.state] : 'waiting',
    ledger: entry,
    heldBy: undefined,
  }
}

/** 写真 n / m枚 of one record, and what of it is unsent. */
export interface PhotoProgress {
  resource: string
  recordKey: string
  /** In the file store, of all that were saved here and are wanted. */
  sent: number
  total: number
  items: QueueItem[]
}

/** @returns one row for each record that has something unsent among its photos */
export function photoProgress(
  photos: readonly PhotoRecord[],
  ledger: ReadonlyMap<string, LedgerEntry>,
): PhotoProgress[] {
  const groups = new Map<string, PhotoRecord[]>()
  for (const photo of photos) {
    const id = `${photo.resource} ${photo.recordKey}`
    groups.set(id, [...(groups.get(id) ?? []), photo])
  }
  return [...groups.values()].flatMap((group) => {
    const items = group.map((photo) => photoItem(photo, ledger)).filter((item) => item !== null)
    const [first] = group
    if (!first || items.length === 0) return []
    const wanted = group.filter((photo) => photo.wanted === 'kept')
    const sent = wanted.filter((photo) => photo.fileSeq !== '').length
    return [{ resource: first.resource, recordKey: first.recordKey, sent, total: wanted.length, items }]
  })
}
