/**
 * Uploads, renames and deletes photos: for each of the three the read-back, the call, and what is stored afterwards.
 */
import { isInDoubt } from '#schemas/changes/change-queue.ts'
import type { PhotoAct } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredName } from '#schemas/stored-text.ts'
import {
  DONE,
  type Job,
  type Plan,
  type ReadBack,
  type SendAdapter,
  type Sending,
  type Sent,
} from '#sync/changes/send-adapter.ts'
import { isoNow } from '#sync/changes/attempt.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import type { FileResult, FileStore } from './file-store.ts'
import {
  type PhotoFolders,
  type PhotoParents,
  isOnlyListed,
  readFile,
  readUploadBack,
  sentPlace,
  takenFiles,
  type UploadPlace,
} from './photo-place.ts'
import type { PhotoStore } from './photo-store.ts'

/**
 * The services for sending photos. `faults` records answers of the file store only, because they say nothing about
 * the CRM.
 */
export interface SendParts extends Omit<Sending, 'states' | 'lease'> {
  store: PhotoStore
  files: FileStore
  folders: PhotoFolders
  parents: PhotoParents
  locks: Locks
}

interface Work extends SendParts, Sending {}

/** A photo that is about to be sent. */
interface PhotoJob extends Job {
  photo: PhotoRecord
}

/**
 * The result of a call: the id of the file in the file store, and for an upload the folder and name that were sent.
 */
interface Made {
  id: string
  place?: UploadPlace | null
}

type PhotoAdapter = SendAdapter<PhotoJob, Made>
type Act = Omit<PhotoAdapter, 'work' | 'needsSecondReadBack'>

const ABSENT = { kind: 'absent' } as const
const MORE = { kind: 'more' } as const

export function photoAdapter(work: Work, kind: PhotoAct): PhotoAdapter {
  const act = ACTS[kind](work)
  return {
    ...act,
    work,
    needsSecondReadBack: ({ item, photo }) => isInDoubt(item) && wouldDuplicate(photo),
    readBack: async (job) => (isInDoubt(job.item) ? act.readBack(job) : ABSENT),
  }
}

/**
 * True if a call that arrives late could change the file store against the user's wish, so that two read-backs are
 * needed (RULES OC9).
 */
const wouldDuplicate = ({ payload, fileSeq, wish }: PhotoRecord): boolean =>
  payload !== '' && (fileSeq === '' || wish === 'discard')

const uploading = (work: Work): Act => ({
  readBack: ({ photo }) => readUpload(work, photo),
  /** Delays an upload until the CRM has the photo's record. Meanwhile the photo does not become 期限切れ (RULES EX2). */
  async findBlocker({ photo }) {
    const parent = await work.parents.folderOf(photo.resource, photo.recordKey)
    if (parent.kind === 'wait') return DONE
    if (parent.kind !== 'no-record') return null
    // The photo's record is gone, so the photo ends as 失敗. A photo that the user is discarding must not.
    return photo.wish === 'discard' ? DONE : { kind: 'park', as: 'refused', reasons: ['ec00002'] }
  },
  async plan(job) {
    const { photo } = job
    const folder = await folderOf(work, photo)
    if (!folder) return DONE
    if (folder.kind !== 'accepted') return { kind: 'failed', outcome: folder }
    const bytes = await work.store.bytes.get(photo.key)
    if (!bytes) return { kind: 'park', as: 'refused', reasons: ['ec00017'] }
    const { name, type } = photo
    const place: UploadPlace = { folderId: folder.value, name }
    return callPlan(job, place, async (lease) => {
      const result = await work.files.upload(place.folderId, { name, type, bytes }, lease)
      // The folder may have been deleted, so the next upload looks for it again.
      if ('status' in result && result.status < 500) work.folders.forget()
      const sent = sentOf(result, (id) => ({ id, place }))
      const isAnothers = sent.kind === 'made' && (await takenFiles(work.store, photo)).has(sent.made.id)
      // The answer names the file of another photo, which is wrong. As the outcome is unknown, a read-back then looks
      // for this upload's file.
      return isAnothers ? { kind: 'unknown', status: 200 } : sent
    })
  },
  acceptedFacts: ({ photo }, made) => uploadedFacts(photo, made),
  settle: ({ photo }) => settleUpload(work, photo),
})

async function readUpload(work: Work, photo: PhotoRecord): Promise<ReadBack<Made>> {
  const readBack = await readUploadBack(work, photo)
  if (readBack.kind !== 'accepted') return { kind: 'failed', outcome: readBack }
  return readBack.value ? { kind: 'there', made: { id: readBack.value, place: sentPlace(photo) } } : ABSENT
}

function uploadedFacts({ name }: PhotoRecord, { id, place }: Made) {
  const { folderId, name: storeName } = place ?? { folderId: '', name }
  return { fileSeq: id, folderId, storeName }
}

async function settleUpload({ store }: Work, { key, resource, recordKey }: PhotoRecord) {
  const all = await store.ofRecord(resource, recordKey)
  const fileSeq = all.find((photo) => photo.key === key)?.fileSeq
  // A list that was read during the upload may have added the same file as somebody else's photo.
  for (const other of all)
    if (other.key !== key && other.fileSeq === fileSeq && isOnlyListed(other)) await store.remove(other.key)
  await store.bytes.release(key)
  return MORE
}

const renaming = (work: Work): Act => ({
  readBack: ({ photo }) => readFileBack(work, photo, isNamedAs(photo)),
  findBlocker: ({ photo }) => revertIfRequested(work, photo),
  async plan(job) {
    const { fileSeq, folderId, name } = job.photo
    return callPlan(job, { folderId, name }, async (lease) =>
      sentOf(await work.files.rename(folderId, { fileSeq, name }, lease), () => ({ id: fileSeq })),
    )
  },
  acceptedFacts: ({ photo }) => ({ storeName: photo.name }),
  settle: async () => MORE,
})

const removing = (work: Work): Act => ({
  async readBack({ item, photo }) {
    if (photo.fileSeq !== '') return readFileBack(work, photo, isDeleted)
    const readBack = await readUpload(work, photo)
    if (readBack.kind !== 'there') return readBack
    // The upload has arrived although its answer was lost, so it is accepted here. The deletion then has a call of
    // its own.
    const facts = { reasons: [], settledAt: isoNow(work), ...uploadedFacts(photo, readBack.made) }
    await work.states.put([item], 'accepted', facts)
    return { kind: 'ended', step: await settleUpload(work, photo) }
  },
  /** A photo that never reached the file store is removed from the device without a call. */
  async findBlocker({ item, photo }) {
    if (photo.fileSeq !== '') return revertIfRequested(work, photo)
    await work.states.put([item], 'discarded', { settledAt: isoNow(work) })
    await work.store.bytes.remove(photo.key)
    return DONE
  },
  async plan(job) {
    const { fileSeq, folderId, name } = job.photo
    return callPlan(job, { folderId, name }, async (lease) =>
      sentOf(await work.files.remove(folderId, fileSeq, lease), () => ({ id: fileSeq })),
    )
  },
  /** A file that somebody else has deleted counts as deleted by this call. */
  readBackAfterRefusal: ({ photo }) => readFileBack(work, photo, isDeleted),
  async settle({ photo }) {
    await work.store.bytes.remove(photo.key)
    return DONE
  },
})

const ACTS: Record<PhotoAct, (work: Work) => Act> = { upload: uploading, rename: renaming, delete: removing }

type File = { name: string } | undefined

const isDeleted = (file: File) => file === undefined

/**
 * True if the file has the new name, also in another Unicode form or letter case, in which the file store may return
 * it. A file that still has its old name was not renamed.
 */
const isNamedAs =
  ({ name, storeName }: PhotoRecord) =>
  (file: File) =>
    file !== undefined && file.name !== storeName && isStoredName(name, file.name)

/**
 * Reads whether the file store has carried out a rename or deletion. If so, it is accepted, even after 24 hours
 * (EX2).
 */
async function readFileBack(
  work: Work,
  photo: PhotoRecord,
  isDone: (file: File) => boolean,
): Promise<ReadBack<Made>> {
  const file = await readFile(work, photo)
  if (file.kind !== 'accepted') return { kind: 'failed', outcome: file }
  return isDone(file.value) ? { kind: 'there', made: { id: photo.fileSeq } } : ABSENT
}

/**
 * Applies 破棄 of a rename or deletion, once a read-back has shown that the file store has not carried it out.
 * @returns null if the user has not requested 破棄
 */
async function revertIfRequested(work: Work, { wish, key }: PhotoRecord): Promise<typeof MORE | null> {
  if (wish !== 'discard') return null
  await work.states.putById(key, 'discarded', { wish: 'none', settledAt: isoNow(work) })
  return MORE
}

/** @returns null while the photo folder is unknown, for example because the CRM does not have the record yet */
async function folderOf({ parents, folders }: Work, photo: PhotoRecord): Promise<FileResult<string> | null> {
  const parent = await parents.folderOf(photo.resource, photo.recordKey)
  if (parent.kind === 'folder') return { kind: 'accepted', value: parent.id }
  return parent.kind === 'make' ? folders.folderFor(parent.parentId, parent.name) : null
}

const callPlan = (
  job: PhotoJob,
  place: UploadPlace,
  send: Extract<Plan<PhotoJob, Made>, { kind: 'call' }>['send'],
): Plan<PhotoJob, Made> => ({ kind: 'call', jobs: [job], payload: JSON.stringify(place), send })

const sentOf = <T>(result: FileResult<T>, made: (value: T) => Made): Sent<Made> =>
  result.kind === 'accepted' ? { kind: 'made', made: made(result.value) } : result
