/** The acts of a photo (upload, rename, delete): the read-back, the call, and the facts stored after it. */
import type { PhotoAct } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredName } from '#schemas/stored-text.ts'
import type { AttemptEnd, Job, Plan, ReadBack, Sending, Sent } from '#sync/changes/send-adapter.ts'
import type { StateFacts } from '#sync/changes/send-states.ts'
import { isoNow } from '#sync/changes/unsent.ts'
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
 * The parts that every act uses. `faults` counts answers of the file store only, because its calls show nothing about
 * the CRM.
 */
export interface SendParts extends Omit<Sending, 'states' | 'lease'> {
  store: PhotoStore
  files: FileStore
  folders: PhotoFolders
  parents: PhotoParents
  locks: Locks
  /** Starts another run for the pending photos after this many milliseconds. */
  wake: (ms: number) => void
}

export interface Work extends SendParts, Sending {}

/** One photo, as it is on disk now. */
export interface PhotoJob extends Job {
  photo: PhotoRecord
  act: PhotoAct
}

/** The id of the file in the file store and, for an upload, the folder and name it was sent to. */
export interface Made {
  id: string
  place?: UploadPlace | null
}

/** The part of a `SendAdapter` that depends on the act. */
export interface Act {
  readBack(work: Work, job: PhotoJob): Promise<ReadBack<Made>>
  findBlocker?(work: Work, job: PhotoJob): Promise<Plan<PhotoJob, Made> | null>
  plan(work: Work, job: PhotoJob): Promise<Plan<PhotoJob, Made>>
  readBackAfterRefusal?(work: Work, job: PhotoJob): Promise<ReadBack<Made>>
  /** Facts about the file that are stored with the acceptance. */
  acceptedFacts?(job: PhotoJob, made: Made): StateFacts
  settle(work: Work, job: PhotoJob): Promise<AttemptEnd>
}

const ABSENT = { kind: 'absent' } as const
const MORE = { kind: 'more' } as const

export const uploading: Act = {
  async readBack(work, { photo }) {
    const back = await readUploadBack(work, photo)
    if (back.kind !== 'accepted') return { kind: 'failed', outcome: back }
    return back.value ? { kind: 'there', made: { id: back.value, place: sentPlace(photo) } } : ABSENT
  },
  /**
   * Blocks the upload until its record is in the CRM. A photo that waits for its record does not expire (RULES EX2).
   */
  async findBlocker(work, { photo }) {
    const parent = await work.parents.folderOf(photo.resource, photo.recordKey)
    if (parent.kind === 'wait') return { kind: 'done' }
    // a discarded photo needs no decision besides that about its record
    if (parent.kind === 'no-record' && photo.wish === 'discard') return { kind: 'done' }
    return parent.kind === 'no-record' ? { kind: 'park', as: 'refused', reasons: ['ec00002'] } : null
  },
  async plan(work, job) {
    const { photo } = job
    const folder = await folderOf(work, photo)
    if (!folder) return { kind: 'done' }
    if (folder.kind !== 'accepted') return { kind: 'failed', outcome: folder }
    const bytes = await work.store.bytes.get(photo.key)
    if (!bytes) return { kind: 'park', as: 'refused', reasons: ['ec00017'] }
    const { name, type } = photo
    const place: UploadPlace = { folderId: folder.value, name }
    return callPlan(job, place, async (lease) => {
      const result = await work.files.upload(place.folderId, { name, type, bytes }, lease)
      // the cause may be that the folder no longer exists
      if ('status' in result && result.status < 500) work.folders.forget()
      const made = sentOf(result, (id) => ({ id, place }))
      const isAnothers = made.kind === 'made' && (await takenFiles(work.store, photo)).has(made.made.id)
      // the file that this upload created is then found by a read-back
      return isAnothers ? { kind: 'unknown', status: 200 } : made
    })
  },
  acceptedFacts({ photo }, { id, place }) {
    const { folderId, name } = place ?? { folderId: '', name: photo.name }
    return { fileSeq: id, folderId, storeName: name }
  },
  async settle({ store }, { photo: { key, resource, recordKey } }) {
    const all = await store.ofRecord(resource, recordKey)
    const fileSeq = all.find((photo) => photo.key === key)?.fileSeq
    // a list read while the upload was ambiguous may have added its file as another photo
    for (const other of all)
      if (other.key !== key && other.fileSeq === fileSeq && isOnlyListed(other)) await store.remove(other.key)
    await store.bytes.release(key)
    return MORE
  },
}

export const renaming: Act = {
  readBack: (work, job) => readBackFile(work, job, isNamedAs(job.photo)),
  findBlocker: revertIfRequested,
  async plan(work, job) {
    const { fileSeq, folderId, name } = job.photo
    return callPlan(job, { folderId, name }, async (lease) =>
      sentOf(await work.files.rename(folderId, { fileSeq, name }, lease), () => ({ id: fileSeq })),
    )
  },
  acceptedFacts: ({ photo }) => ({ storeName: photo.name }),
  settle: async () => MORE,
}

export const removing: Act = {
  async readBack(work, job) {
    if (job.photo.fileSeq !== '') return readBackFile(work, job, isDeleted)
    const readBack = await uploading.readBack(work, job)
    if (readBack.kind !== 'there') return readBack
    // the upload has arrived, and the deletion of its file is an act of its own
    const facts = { reasons: [], settledAt: isoNow(work), ...uploading.acceptedFacts?.(job, readBack.made) }
    await work.states.put([job.item], 'accepted', facts)
    return { kind: 'ended', step: await uploading.settle(work, job) }
  },
  /** A photo that the file store never had is only removed from the device. */
  async findBlocker(work, job) {
    const { key, fileSeq } = job.photo
    if (fileSeq !== '') return revertIfRequested(work, job)
    await work.states.put([job.item], 'discarded', { settledAt: isoNow(work) })
    await work.store.bytes.remove(key)
    return { kind: 'done' }
  },
  async plan(work, job) {
    const { fileSeq, folderId, name } = job.photo
    return callPlan(job, { folderId, name }, async (lease) =>
      sentOf(await work.files.remove(folderId, fileSeq, lease), () => ({ id: fileSeq })),
    )
  },
  /** Accepts a file that is already deleted, by somebody else or by an earlier call. */
  async readBackAfterRefusal(work, { photo }) {
    const file = await readFile(work, photo)
    if (file.kind !== 'accepted') return { kind: 'failed', outcome: file }
    return isDeleted(file.value) ? { kind: 'there', made: { id: photo.fileSeq } } : ABSENT
  },
  async settle({ store }, { photo }) {
    await store.bytes.remove(photo.key)
    return { kind: 'done' }
  },
}

type File = { name: string } | undefined

const isDeleted = (file: File) => file === undefined

/** True if the file has the new name. The store may spell it differently, but never as the old one. */
const isNamedAs =
  ({ name, storeName }: PhotoRecord) =>
  (file: File) =>
    file !== undefined && file.name !== storeName && isStoredName(name, file.name)

/** Reads back a rename or deletion. It is neither 期限切れ nor undone while the file store has its effect (EX2). */
async function readBackFile(
  work: Work,
  { photo }: PhotoJob,
  isDone: (file: File) => boolean,
): Promise<ReadBack<Made>> {
  const index = await readFile(work, photo)
  if (index.kind !== 'accepted') return { kind: 'failed', outcome: index }
  return isDone(index.value) ? { kind: 'there', made: { id: photo.fileSeq } } : ABSENT
}

/**
 * Carries out the user's 破棄 of a rename or deletion, once the file store was read again and shows that it did not
 * arrive. Returns null if the user did not request it.
 */
async function revertIfRequested(work: Work, { photo }: PhotoJob): Promise<typeof MORE | null> {
  if (photo.wish !== 'discard') return null
  await work.states.putById(photo.key, 'discarded', { wish: 'none', settledAt: isoNow(work) })
  return MORE
}

/** @returns null if the record is not in the CRM yet, or no longer on the device, or its photo folder is unknown */
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
