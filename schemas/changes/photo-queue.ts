/**
 * The unsent work of a photo and its send state (sync RULES ST1), for the sender and for 送信状況. This module does not
 * import ArkType, because the first screen loads it to count unsent items.
 *
 *     saved ─→ upload ─ accepted ─┬─ renamed or deleted since the save ─→ starts again with that act
 *                                 └─ otherwise ─→ accepted
 *
 * A photo has one pending act at a time. Its document stores the progress of that act.
 */
import { blankProgress, SEND_STATE, type QueueItem } from './change-queue.ts'
import type { Progress, SendFacts } from '#schemas/change.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

/** Name of the collection of photos. */
export const PHOTOS = 'photos'

/** Stored reason of a photo that waits because the file store rejects every token, even a new token. */
export const FILES_REFUSED = 'filesRefused'

/** True if at least one of these items waits because the file store rejects every token. */
export const waitsForFiles = (items: readonly QueueItem[]): boolean =>
  items.some(({ state, progress }) => state === 'waiting' && progress?.reasons.includes(FILES_REFUSED))

export type PhotoAct = 'upload' | 'rename' | 'delete'

/** The pending act of a photo; null if the file store already has the wanted state. */
export function photoAct({
  wanted,
  fileSeq,
  name,
  storeName,
  state,
}: Pick<PhotoRecord, 'wanted' | 'fileSeq' | 'name' | 'storeName' | 'state'>): PhotoAct | null {
  if (wanted === 'deleted') return state === 'accepted' || state === 'discarded' ? null : 'delete'
  if (fileSeq === '') return 'upload'
  return name === storeName ? null : 'rename'
}

/** The photo with `unsent` derived from its other fields. */
export const withUnsent = (photo: PhotoRecord): PhotoRecord => ({
  ...photo,
  unsent: photoAct(photo) ? 'yes' : 'no',
})

/**
 * The photo after a new save. A pending upload continues, whatever the new name is. A rename or deletion of a file
 * that the file store already has starts from the beginning.
 */
export function savedAnew(photo: PhotoRecord, save: Partial<PhotoRecord>): PhotoRecord {
  const next = { ...photo, ...save }
  if (photo.fileSeq !== '') return withUnsent({ ...next, ...blankProgress(next.savedAt) })
  const decided = next.wanted === photo.wanted ? {} : reopened(photo)
  return withUnsent({ ...next, ...decided, waitingSince: next.savedAt })
}

/**
 * The progress of an upload after the user saved or deleted the photo again. An upload that had failed or expired is
 * opened again: as ambiguous if its file may be in the file store (a server error came after it was sent), else as
 * waiting.
 */
function reopened({ state, payload, serverErrors }: PhotoRecord): Partial<Progress> {
  const isParked = state === 'refused' || state === 'expired'
  const mayBeThere = payload !== '' && serverErrors > 0
  if (!isParked) return { wish: 'none' }
  const open = mayBeThere ? 'unknown' : 'waiting'
  return { state: open, wish: 'none', reasons: [], status: 0, serverErrors: 0, settledAt: '' }
}

/** The progress fields of a photo or change, without its other fields. */
export function progressOf(known: Progress): Progress {
  const { state, waitingSince, reasons, status, serverErrors, payload, settledAt, wish } = known
  return { state, waitingSince, reasons, status, serverErrors, payload, settledAt, wish }
}

/** The send state of a photo in the form that changes use. */
export function photoFacts(photo: PhotoRecord): SendFacts {
  const { key, requestId, workingDate, fileSeq, stamp, savedAt } = photo
  const place = { id: key, resource: PHOTOS, recordKey: key, requestId, workingDate, serverId: fileSeq }
  return { ...place, stamp, savedAt, kind: photoAct(photo) ?? '', ...progressOf(photo) }
}

/**
 * True if `item` still describes this photo. This is always true for an upload. It is true for a rename or deletion if
 * nothing was saved after the item was made.
 */
export const isBeingSent = (
  { fileSeq, stamp }: PhotoRecord,
  { record, change }: Pick<QueueItem, 'record' | 'change'>,
): boolean => fileSeq === record.serverId && (fileSeq === '' || stamp === change.stamp)

/** True if the act in `item` is still the pending act of the photo. */
export const isActOf = (photo: PhotoRecord, item: Pick<QueueItem, 'record' | 'change'>): boolean =>
  photoAct(photo) === item.change.kind && isBeingSent(photo, item)

/** The pending act of a photo as a queue item; null if nothing is unsent. */
export function photoItem(photo: PhotoRecord): QueueItem | null {
  const act = photoAct(photo)
  if (!act) return null
  const { key, requestId, workingDate, fileSeq, unsent, stamp, savedAt, userId, offline, state } = photo
  return {
    record: { resource: PHOTOS, key, requestId, workingDate, serverId: fileSeq, changes: [], unsent },
    change: { id: key, stamp, savedAt, userId, offline, kind: act, fields: {} },
    state: SEND_STATE[state],
    progress: photoFacts(photo),
    blockedBy: undefined,
  }
}

/** The counts in 写真 n / m枚 of one record, with the unsent items. */
export interface PhotoProgress {
  resource: string
  recordKey: string
  /** Number of wanted photos in the file store. `total` is the number of wanted photos on this device. */
  sent: number
  total: number
  items: QueueItem[]
}

/** @returns one entry for each record that has unsent photos */
export function photoProgress(photos: readonly PhotoRecord[]): PhotoProgress[] {
  const groups = new Map<string, PhotoRecord[]>()
  for (const photo of photos) {
    const id = `${photo.resource} ${photo.recordKey}`
    groups.set(id, [...(groups.get(id) ?? []), photo])
  }
  return [...groups.values()].flatMap((group) => {
    const items = group.map((photo) => photoItem(photo)).filter((item) => item !== null)
    const [first] = group
    if (!first || items.length === 0) return []
    const wanted = group.filter((photo) => photo.wanted === 'kept')
    const sent = wanted.filter((photo) => photo.fileSeq !== '').length
    return [{ resource: first.resource, recordKey: first.recordKey, sent, total: wanted.length, items }]
  })
}
