/** The acts of photos: how each is read back, its call, and what is written when it is done. */
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredName } from '#schemas/stored-text.ts'
import type { ReadBack, Plan, Sent } from '#sync/changes/send-adapter.ts'
import { isoNow } from '#sync/changes/unsent.ts'
import type { FileResult } from './file-store.ts'
import type { Act, Made, PhotoJob, Work } from './photo-job.ts'
import {
  isOnlyListed,
  readFile,
  readUploadBack,
  sentPlace,
  takenFiles,
  type UploadPlace,
} from './photo-place.ts'

const ABSENT = { kind: 'absent' } as const
const MORE = { kind: 'more' } as const

export const uploading: Act = {
  async look(work, { photo }) {
    const back = await readUploadBack(work, photo)
    if (back.kind !== 'accepted') return { kind: 'failed', outcome: back }
    return back.value ? { kind: 'there', made: { id: back.value, place: sentPlace(photo) } } : ABSENT
  },
  /** Its age counts once its record is there: what waits for a record goes with that, or is decided on with it (RULES EX2). */
  async heldBy(work, { photo }) {
    const parent = await work.parents.folderOf(photo.resource, photo.recordKey)
    if (parent.kind === 'wait') return { kind: 'done' }
    // it goes with its record, by its own decision
    if (parent.kind === 'gone' && photo.wish === 'discard') return { kind: 'done' }
    return parent.kind === 'gone' ? { kind: 'park', as: 'refused', reasons: ['ec00002'] } : null
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
    return calling(job, place, async (hold) => {
      const result = await work.files.upload(place.folderId, { name, type, bytes }, hold)
      // it may be the folder that is not there any more
      if ('status' in result && result.status < 500) work.folders.forget()
      const made = sentOf(result, (id) => ({ id, place }))
      const isAnothers = made.kind === 'made' && (await takenFiles(work.store, photo)).has(made.made.id)
      // the file that this upload made is then read back
      return isAnothers ? { kind: 'unknown', status: 200 } : made
    })
  },
  madeOf({ photo }, { id, place }) {
    const { folderId, name } = place ?? { folderId: '', name: photo.name }
    return { fileSeq: id, folderId, storeName: name }
  },
  async settle({ store }, { photo: { key, resource, recordKey } }) {
    const all = await store.ofRecord(resource, recordKey)
    const fileSeq = all.find((photo) => photo.key === key)?.fileSeq
    // the folder was listed while nobody knew that the file is this one
    for (const other of all)
      if (other.key !== key && other.fileSeq === fileSeq && isOnlyListed(other)) await store.remove(other.key)
    await store.bytes.release(key)
    return MORE
  },
}

export const renaming: Act = {
  look: (work, job) => lookAt(work, job, isNamedAs(job.photo)),
  heldBy: takenBack,
  async plan(work, job) {
    const { fileSeq, folderId, name } = job.photo
    return calling(job, { folderId, name }, async (hold) =>
      sentOf(await work.files.rename(folderId, { fileSeq, name }, hold), () => ({ id: fileSeq })),
    )
  },
  madeOf: ({ photo }) => ({ storeName: photo.name }),
  settle: async () => MORE,
}

export const removing: Act = {
  async look(work, job) {
    if (job.photo.fileSeq !== '') return lookAt(work, job, isGone)
    const look = await uploading.look(work, job)
    if (look.kind !== 'there') return look
    // it is there, and is to go: that is an act of its own
    const facts = { reasons: [], settledAt: isoNow(work), ...uploading.madeOf?.(job, look.made) }
    await work.states.put([job.item], 'accepted', facts)
    return { kind: 'ended', step: await uploading.settle(work, job) }
  },
  /** One that was never there goes from the device alone. */
  async heldBy(work, job) {
    const { key, fileSeq } = job.photo
    if (fileSeq !== '') return takenBack(work, job)
    await work.states.put([job.item], 'discarded', { settledAt: isoNow(work) })
    await work.store.bytes.remove(key)
    return { kind: 'done' }
  },
  async plan(work, job) {
    const { fileSeq, folderId, name } = job.photo
    return calling(job, { folderId, name }, async (hold) =>
      sentOf(await work.files.remove(folderId, fileSeq, hold), () => ({ id: fileSeq })),
    )
  },
  /** What somebody else deleted, or an earlier call of ours, is deleted. */
  async lookAfterRefusal(work, { photo }) {
    const file = await readFile(work, photo)
    if (file.kind !== 'accepted') return { kind: 'failed', outcome: file }
    return isGone(file.value) ? { kind: 'there', made: { id: photo.fileSeq } } : ABSENT
  },
  async settle({ store }, { photo }) {
    await store.bytes.remove(photo.key)
    return { kind: 'done' }
  },
}

type File = { name: string } | undefined

const isGone = (file: File) => file === undefined

/** The store may spell the new name differently, but never as the old one. */
const isNamedAs =
  ({ name, storeName }: PhotoRecord) =>
  (file: File) =>
    file !== undefined && file.name !== storeName && isStoredName(name, file.name)

/** What became of a rename or a deletion: it is never 期限切れ, nor taken back, while its effect is there (EX2). */
async function lookAt(
  work: Work,
  { photo }: PhotoJob,
  isDone: (file: File) => boolean,
): Promise<ReadBack<Made>> {
  const index = await readFile(work, photo)
  if (index.kind !== 'accepted') return { kind: 'failed', outcome: index }
  return isDone(index.value) ? { kind: 'there', made: { id: photo.fileSeq } } : ABSENT
}

/** 破棄 of a rename or a deletion that a read-back did not find. */
async function takenBack(work: Work, { photo }: PhotoJob): Promise<typeof MORE | null> {
  if (photo.wish !== 'discard') return null
  await work.states.tell(photo.key, 'discarded', { wish: 'none', settledAt: isoNow(work) })
  return MORE
}

/** @returns null where its record is not there yet, or not any more, or nobody has said where its photos go */
async function folderOf({ parents, folders }: Work, photo: PhotoRecord): Promise<FileResult<string> | null> {
  const parent = await parents.folderOf(photo.resource, photo.recordKey)
  if (parent.kind === 'folder') return { kind: 'accepted', value: parent.id }
  return parent.kind === 'make' ? folders.made(parent.parentId, parent.name) : null
}

const calling = (
  job: PhotoJob,
  place: UploadPlace,
  send: Extract<Plan<PhotoJob, Made>, { kind: 'call' }>['send'],
): Plan<PhotoJob, Made> => ({ kind: 'call', jobs: [job], payload: JSON.stringify(place), send })

const sentOf = <T>(result: FileResult<T>, made: (value: T) => Made): Sent<Made> =>
  result.kind === 'accepted' ? { kind: 'made', made: made(result.value) } : result
