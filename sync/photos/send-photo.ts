/**
 * Sends the upload, rename or deletion of one photo (crm-contract 5) under the photo's lock, with the steps of
 * `changes/attempt.ts`. Also applies 再送 and 破棄:
 *
 *     upload: read back by name in the folder; waits until the folder of its record is known (RULES OR2)
 *     rename, delete: read back by the file's id; a file that no longer exists counts as deleted
 */
import type { SendFacts } from '#schemas/change.ts'
import { isInDoubt, type QueueItem } from '#schemas/changes/change-queue.ts'
import { photoAct, photoItem, savedAnew, type PhotoAct } from '#schemas/changes/photo-queue.ts'
import { isoOf } from '#schemas/instant.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredName } from '#schemas/stored-text.ts'
import {
  ABSENT,
  DONE,
  type Plan,
  type SendAdapter,
  type Sending,
  type Step,
} from '#sync/changes/send-adapter.ts'
import { attempt, mayHaveArrived } from '#sync/changes/attempt.ts'
import { applyUserRequest } from '#sync/changes/sender.ts'
import type { Lease, Locks } from '#sync/leadership/lease.ts'
import type { FileResult, FileStore } from './file-store.ts'
import {
  isOnlyListed,
  readFileBack,
  readUploadBack,
  takenFiles,
  type Made,
  type PhotoFolders,
  type PhotoParents,
  type UploadPlace,
} from './photo-place.ts'
import { withPhotoLock, type PhotoStore } from './photo-store.ts'

/** The services for sending photos. `faults` records answers of the file store only, which say nothing about the CRM. */
export interface SendParts extends Omit<Sending, 'store' | 'lease'> {
  store: PhotoStore
  files: FileStore
  folders: PhotoFolders
  parents: PhotoParents
  locks: Locks
}

type Work = SendParts & Pick<Sending, 'lease'>

type PhotoJob = QueueItem & { photo: PhotoRecord }

type PhotoAdapter = SendAdapter<PhotoJob, Made>
type PhotoPlan = Plan<PhotoJob, Made>

const MORE = { kind: 'more' } as const

/** Sends a photo until the file store has its current state, or a call fails. */
export const sendPhoto = (parts: SendParts, key: string): Promise<Step> =>
  withPhotoLock(parts, key, async (store, lease) => {
    const work = { ...parts, lease, store }
    for (;;) {
      const photo = await store.photo(key)
      const act = photo && photoAct(photo)
      const item = photo && photoItem(photo)
      if (!photo || !act || !item) return DONE
      const own = ACTS[act](work)
      const adapter: PhotoAdapter = {
        ...own,
        work,
        // A late upload would make a second file. A late rename or deletion would take effect after 破棄 (RULES OC9).
        needsSecondReadBack: () =>
          isInDoubt(item) && photo.payload !== '' && (photo.fileSeq === '' || photo.wish === 'discard'),
        readBack: async (job) => (isInDoubt(item) ? own.readBack(job) : ABSENT),
      }
      const end = await attempt(adapter, { ...item, photo })
      if (end.kind !== 'more') return end
    }
  })

function uploadedFacts({ id: fileSeq, place }: Made) {
  return { fileSeq, folderId: place.folderId, storeName: place.name }
}

const uploading = (work: Work) => ({
  readBack: ({ photo }: PhotoJob) => readUploadBack(work, photo),
  /** Delays an upload until the CRM has the photo's record. Meanwhile the photo does not become 期限切れ (RULES EX2). */
  async findBlocker({ photo }: PhotoJob): Promise<PhotoPlan | null> {
    const parent = await work.parents.folderOf(photo.resource, photo.recordKey)
    if (parent.kind === 'wait') return DONE
    if (parent.kind !== 'no-record') return null
    // A photo whose record is gone ends as 失敗, unless the user is discarding the photo.
    return photo.wish === 'discard' ? DONE : { kind: 'park', as: 'refused', reasons: ['ec00002'] }
  },
  async plan(job: PhotoJob): Promise<PhotoPlan> {
    const { photo } = job
    const { name, type } = photo
    const folder = await folderOf(work, photo)
    if (!folder) return DONE
    if (folder.kind !== 'accepted') return { kind: 'failed', outcome: folder }
    const bytes = await work.store.bytes.get(photo.key)
    if (!bytes) return { kind: 'park', as: 'refused', reasons: ['ec00017'] }
    return callPlan(job, { folderId: folder.value, name }, async (lease) => {
      const result = await work.files.upload(folder.value, { name, type, bytes }, lease)
      // The folder may have been deleted, so the next upload looks for it again.
      if ('status' in result && result.status < 500) work.folders.forget()
      // An answer that names the file of another photo is wrong, and a read-back then looks for this upload's file.
      const isAnothers = result.kind === 'accepted' && (await takenFiles(work.store, photo)).has(result.value)
      return isAnothers ? { kind: 'unknown', status: 200 } : result
    })
  },
  acceptedFacts: (_: PhotoJob, made: Made) => uploadedFacts(made),
  settle: ({ photo }: PhotoJob) => settleUpload(work, photo),
})

async function settleUpload({ store }: Work, { key, resource, recordKey }: PhotoRecord) {
  const all = await store.ofRecord(resource, recordKey)
  const fileSeq = all.find((photo) => photo.key === key)?.fileSeq
  // A list that was read during the upload may have added the same file as somebody else's photo.
  for (const other of all)
    if (other.key !== key && other.fileSeq === fileSeq && isOnlyListed(other)) await store.remove(other.key)
  await store.bytes.release(key)
  return MORE
}

const renaming = (work: Work) => ({
  readBack({ photo }: PhotoJob) {
    // The file store may change the new name's Unicode form or letter case. A file with its old name was not renamed.
    const isRenamed = (name = photo.storeName) => name !== photo.storeName && isStoredName(photo.name, name)
    return readFileBack(work, photo, isRenamed)
  },
  findBlocker: ({ photo }: PhotoJob) => revertIfRequested(work, photo),
  plan: async (job: PhotoJob) => {
    const { folderId, name, fileSeq } = job.photo
    const send = (lease?: Lease) => work.files.rename(folderId, { fileSeq, name }, lease)
    return callPlan(job, { folderId, name }, send)
  },
  acceptedFacts: (_: PhotoJob, made: Made) => uploadedFacts(made),
  settle: async () => MORE,
})

const removing = (work: Work) => ({
  async readBack(job: PhotoJob) {
    const { photo } = job
    if (photo.fileSeq !== '') return readFileBack(work, photo, isDeleted)
    const readBack = await readUploadBack(work, photo)
    if (readBack.kind !== 'there') return readBack
    // The upload has arrived although its answer was lost, so it is accepted here. The deletion has a call of its own.
    const facts = { reasons: [], settledAt: isoOf(work.now()), ...uploadedFacts(readBack.made) }
    await work.store.put([job], 'accepted', facts)
    return { kind: 'ended' as const, step: await settleUpload(work, photo) }
  },
  /** A photo that never reached the file store is removed from the device without a call. */
  async findBlocker(job: PhotoJob): Promise<PhotoPlan | null> {
    const { photo } = job
    if (photo.fileSeq !== '') return revertIfRequested(work, photo)
    await work.store.put([job], 'discarded', { settledAt: isoOf(work.now()) })
    await work.store.bytes.remove(photo.key)
    return DONE
  },
  plan: async (job: PhotoJob) => {
    const { folderId, name, fileSeq } = job.photo
    return callPlan(job, { folderId, name }, (lease) => work.files.remove(folderId, fileSeq, lease))
  },
  /** A file that somebody else has deleted counts as deleted by this call. */
  readBackAfterRefusal: ({ photo }: PhotoJob) => readFileBack(work, photo, isDeleted),
  async settle({ photo }: PhotoJob) {
    await work.store.bytes.remove(photo.key)
    return DONE
  },
})

const ACTS: Record<PhotoAct, (work: Work) => Omit<PhotoAdapter, 'work' | 'needsSecondReadBack'>> = {
  upload: uploading,
  rename: renaming,
  delete: removing,
}

const isDeleted = (name: string | undefined) => name === undefined

/** Applies 破棄 of a rename or deletion that the file store has not carried out. @returns null without such a request */
async function revertIfRequested(work: Work, { wish, key }: PhotoRecord): Promise<typeof MORE | null> {
  if (wish !== 'discard') return null
  await work.store.putById(key, 'discarded', { wish: 'none', settledAt: isoOf(work.now()) })
  return MORE
}

/** @returns null while the photo folder is unknown */
async function folderOf({ parents, folders }: Work, photo: PhotoRecord): Promise<FileResult<string> | null> {
  const parent = await parents.folderOf(photo.resource, photo.recordKey)
  if (parent.kind === 'folder') return { kind: 'accepted', value: parent.id }
  return parent.kind === 'make' ? folders.folderFor(parent.parentId, parent.name) : null
}

/** @param send makes the call. Its result is the id of the file that was made, if one was. */
const callPlan = (
  job: PhotoJob,
  place: UploadPlace,
  send: (lease?: Lease) => Promise<FileResult<string | null>>,
): PhotoPlan => ({
  kind: 'call',
  jobs: [job],
  payload: JSON.stringify(place),
  async send(lease) {
    const result = await send(lease)
    if (result.kind !== 'accepted') return result
    return { kind: 'made', made: { id: result.value ?? job.photo.fileSeq, place } }
  },
})

/** Applies 再送 and 破棄, each under the photo's lock, so that no photo is discarded while it is being sent. */
export const applyPhotoRequests =
  (parts: Pick<SendParts, 'store' | 'locks' | 'now'>) =>
  async (keys: readonly string[]): Promise<void> => {
    const apply = (key: string) =>
      withPhotoLock(parts, key, (store) =>
        applyUserRequest(store, key, parts.now, {
          needsReadBack: (entry) =>
            mayHaveArrived(entry) || (entry.kind === 'upload' && entry.payload !== ''),
          discard: (entry) => discard(store, entry, isoOf(parts.now())),
        }),
      )
    // The photos are handled in parallel, because the upload of one photo may own its lock for minutes.
    await Promise.all(keys.map(apply))
  }

/** Discards an unsent photo (no other code does, RULES SV3). A rename or deletion that may have arrived is undone later. */
async function discard(store: PhotoStore, photo: SendFacts, settledAt: string): Promise<void> {
  const { id: key, kind, serverId } = photo
  if (kind === 'delete' && serverId === '')
    return store.modify(key, (latest) => savedAnew(latest, { wanted: 'kept' }))
  if (!mayHaveArrived(photo)) {
    await store.putById(key, 'discarded', { wish: 'none', settledAt })
    return kind === 'upload' ? store.bytes.remove(key) : undefined
  }
  if (kind === 'upload') return store.modify(key, (latest) => savedAnew(latest, { wanted: 'deleted' }))
  return photo.state === 'unknown' ? undefined : store.putById(key, 'resentInDoubt')
}
