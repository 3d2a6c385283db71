/**
 * What a photo still has to send (upload, rename or deletion) and its send state (sync RULES ST1). ArkType is not
 * imported, because the first screen counts unsent items.
 *
 *     saved ─→ upload ─ accepted ─┬─ renamed or deleted since the save ─→ the rename or deletion is sent next
 *                                 └─ otherwise ─→ accepted
 *
 * A photo sends one of the three at a time. Its document stores the progress.
 */
import { blankProgress, SEND_STATE, type QueueItem } from './change-queue.ts'
import type { Progress, SendFacts } from '#schemas/change.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'

export const PHOTOS = 'photos'

/** Stored reason of a photo that waits because the file store refuses every token. */
export const FILES_REFUSED = 'filesRefused'

export const waitsForFiles = (items: readonly QueueItem[]): boolean =>
  items.some(({ state, progress }) => state === 'waiting' && progress?.reasons.includes(FILES_REFUSED))

/** The fields of a photo that was found in a list of the file store. This device has nothing to send of it. */
export const FROM_FILE_STORE = {
  wanted: 'kept',
  bytesAsked: 'no',
  offline: false,
  state: 'accepted',
  unsent: 'no',
} as const

export type PhotoAct = 'upload' | 'rename' | 'delete'
type Wanted = Pick<PhotoRecord, 'wanted' | 'fileSeq' | 'name' | 'storeName' | 'state'>

/** What the photo must do next; null if the file store already has the photo's current state. */
export function photoAct({ wanted, fileSeq, name, storeName, state }: Wanted): PhotoAct | null {
  if (wanted === 'deleted') return state === 'accepted' || state === 'discarded' ? null : 'delete'
  if (fileSeq === '') return 'upload'
  return name === storeName ? null : 'rename'
}

export const withUnsent = (photo: PhotoRecord): PhotoRecord => ({
  ...photo,
  unsent: photoAct(photo) ? 'yes' : 'no',
})

/** The photo after another save. An unfinished upload continues; a rename or deletion of a stored file starts anew. */
export function savedAnew(photo: PhotoRecord, save: Partial<PhotoRecord>): PhotoRecord {
  const next = { ...photo, ...save }
  if (photo.fileSeq !== '') return withUnsent({ ...next, ...blankProgress(next.savedAt) })
  const decided = next.wanted === photo.wanted ? {} : reopened(photo)
  return withUnsent({ ...next, ...decided, waitingSince: next.savedAt })
}

/**
 * The progress of an upload after the user saved or deleted the photo again. A 失敗 or 期限切れ upload waits again, after a
 * read-back if the file store may have the file.
 */
function reopened({ state, payload, serverErrors }: PhotoRecord): Partial<Progress> {
  const isParked = state === 'refused' || state === 'expired'
  const mayBeThere = payload !== '' && serverErrors > 0
  if (!isParked) return { wish: 'none' }
  const open = mayBeThere ? 'unknown' : 'waiting'
  return { state: open, wish: 'none', reasons: [], status: 0, serverErrors: 0, settledAt: '' }
}

export function progressOf(known: Progress): Progress {
  const { state, waitingSince, reasons, status, serverErrors, payload, settledAt, wish } = known
  return { state, waitingSince, reasons, status, serverErrors, payload, settledAt, wish }
}

/** The send state of a photo in the form of a change. */
export function photoFacts(photo: PhotoRecord): SendFacts {
  const { key, requestId, workingDate, fileSeq, stamp, savedAt } = photo
  const place = { id: key, resource: PHOTOS, recordKey: key, requestId, workingDate, serverId: fileSeq }
  return { ...place, stamp, savedAt, kind: photoAct(photo) ?? '', ...progressOf(photo) }
}

/** True if a call for `item` still sends what the photo needs. After another save, only an upload is still needed. */
export const isBeingSent = (
  { fileSeq, stamp }: PhotoRecord,
  { record, change }: Pick<QueueItem, 'record' | 'change'>,
): boolean => fileSeq === record.serverId && (fileSeq === '' || stamp === change.stamp)

export const isActOf = (photo: PhotoRecord, item: Pick<QueueItem, 'record' | 'change'>): boolean =>
  photoAct(photo) === item.change.kind && isBeingSent(photo, item)

/** The photo as an item of the send queue; null if it has nothing unsent. */
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

export type PhotoProgress = ReturnType<typeof photoProgress>[number]

/** The numbers in 写真 n / m枚 of each record (`sent`: in the file store; without deleted photos), and unsent photos. */
export function photoProgress(photos: readonly PhotoRecord[]) {
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
