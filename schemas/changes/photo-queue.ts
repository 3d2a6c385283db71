/**
 * What of a photo is unsent, and how far that is: the photo's part of 送信状況 (sync RULES ST1). One function for the sender
 * and for the screens. Without ArkType: the first screen counts what is unsent.
 *
 *     saved ─→ upload ─ accepted ─┬─ renamed or deleted meanwhile ─→ begins anew as that act
 *                                 └─ nothing else ─→ accepted
 *
 * A photo has one act at a time, and its document says how far that is.
 */
import { blankProgress, SEND_STATE, type QueueItem } from './change-queue.ts'
import type { Progress, SendFacts } from '#schemas/change.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

/** The collection. */
export const PHOTOS = 'photos'

/** The reason of a photo that waits because the file store takes no token, not even a fresh one. */
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
  state,
}: Pick<PhotoRecord, 'wanted' | 'fileSeq' | 'name' | 'storeName' | 'state'>): PhotoAct | null {
  if (wanted === 'deleted') return state === 'accepted' || state === 'discarded' ? null : 'delete'
  if (fileSeq === '') return 'upload'
  return name === storeName ? null : 'rename'
}

/** The photo, with `unsent` as it follows from the rest. */
export const withUnsent = (photo: PhotoRecord): PhotoRecord => ({
  ...photo,
  unsent: photoAct(photo) ? 'yes' : 'no',
})

/**
 * A photo that a person saves anew. Its upload goes on from where it is, whatever its name is by now; a rename or a deletion of
 * what the file store has begins anew.
 */
export function savedAnew(photo: PhotoRecord, save: Partial<PhotoRecord>): PhotoRecord {
  const next = { ...photo, ...save }
  if (photo.fileSeq !== '') return withUnsent({ ...next, ...blankProgress(next.savedAt) })
  const decided = next.wanted === photo.wanted ? {} : reopened(photo)
  return withUnsent({ ...next, ...decided, waitingSince: next.savedAt })
}

/** An upload that nobody waits to decide about any more: where it was given up in doubt, it is in doubt again. */
function reopened({ state, payload, serverErrors }: PhotoRecord): Partial<Progress> {
  const isParked = state === 'refused' || state === 'expired'
  const mayBeThere = payload !== '' && serverErrors > 0
  if (!isParked) return { wish: 'none' }
  const open = mayBeThere ? 'unknown' : 'waiting'
  return { state: open, wish: 'none', reasons: [], status: 0, serverErrors: 0, settledAt: '' }
}

/** How far a photo, or a change, is on its way. */
export function progressOf(known: Progress): Progress {
  const { state, waitingSince, reasons, status, serverErrors, payload, settledAt, wish } = known
  return { state, waitingSince, reasons, status, serverErrors, payload, settledAt, wish }
}

/** A photo in the words of a change. */
export function photoFacts(photo: PhotoRecord): SendFacts {
  const { key, requestId, workingDate, fileSeq, stamp, savedAt } = photo
  const place = { id: key, resource: PHOTOS, recordKey: key, requestId, workingDate, serverId: fileSeq }
  return { ...place, stamp, savedAt, kind: photoAct(photo) ?? '', ...progressOf(photo) }
}

/** Whether a photo is still on the way that was seen: its upload, whatever else is saved of it, or the same save. */
export const isBeingSent = (
  { fileSeq, stamp }: PhotoRecord,
  { record, change }: Pick<QueueItem, 'record' | 'change'>,
): boolean => fileSeq === record.serverId && (fileSeq === '' || stamp === change.stamp)

/** Whether that is still to be done with it. */
export const isActOf = (photo: PhotoRecord, item: Pick<QueueItem, 'record' | 'change'>): boolean =>
  photoAct(photo) === item.change.kind && isBeingSent(photo, item)

/** The unsent act of a photo as an item of the queue; null when nothing is unsent. */
export function photoItem(photo: PhotoRecord): QueueItem | null {
  const act = photoAct(photo)
  if (!act) return null
  const { key, requestId, workingDate, fileSeq, unsent, stamp, savedAt, userId, offline, state } = photo
  return {
    record: { resource: PHOTOS, key, requestId, workingDate, serverId: fileSeq, changes: [], unsent },
    change: { id: key, stamp, savedAt, userId, offline, kind: act, fields: {} },
    state: SEND_STATE[state],
    ledger: photoFacts(photo),
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
