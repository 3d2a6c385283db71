/**
 * Brings one photo to where it is wanted (crm-contract 5), under its own lock:
 *
 *     upload: sent before, end not known? ── read the folder back ─ a file of that name → accepted
 *          └ no, or not there → folder known? ─ no → waits (RULES OR2)
 *                         └ yes → ledger: sending → upload → accepted │ 失敗 │ come back later
 *     rename, delete: sent before, end not known? ── read the folder back ─ done → accepted
 *          └ no, or not done → ledger: sending → call → …; a file that is not there any more is deleted
 *
 * The ledger says `sending` before a call leaves (OC3) and `accepted` before the photo is settled (OC1); an upload never
 * leaves twice unless the folder was read in between (OC6).
 */
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import { photoAct, photoChangeId } from '#schemas/photo-queue.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { Step } from '../queue/drain.ts'
import { isLost } from '../queue/second-look.ts'
import type { FileResult } from './file-store.ts'
import { isInDoubt, MAX_SERVER_ERRORS, mayBeDone, takeBack } from './photo-doubt.ts'
import type { Job, SendParts, Went, Work } from './photo-job.ts'
import { withPhotoLock } from './photo-lock.ts'
import { readFile, readUploadBack, sentPlace, type Place } from './photo-place.ts'
import { after, isoNow, notTold, park, went } from './photo-unsent.ts'

export type { SendParts } from './photo-job.ts'

const DONE: Step = { kind: 'done' }
const MORE: Went = { kind: 'more' }

export const sendPhoto = (parts: SendParts, key: string): Promise<Step> =>
  withPhotoLock(parts, key, async (store, hold) => {
    const work = { ...parts, hold, store }
    for (;;) {
      const went = await go(work, key)
      if (went.kind !== 'more') return went
    }
  })

async function go(work: Work, key: string): Promise<Went> {
  const photo = await work.store.photo(key)
  const act = photo && photoAct(photo)
  if (!photo || !act) return DONE
  const ledger = await work.store.ledger.read([photo.key, photo.changeId])
  const uploadRow = ledger.get(photo.key)
  const job = { photo, ledger, row: ledger.get(photoChangeId(photo, act)), uploadRow }
  // a crash between the ledger's word and the photo (RULES OC1)
  if (photo.fileSeq === '' && uploadRow?.state === 'accepted')
    return settleUpload(work, job, uploadRow.serverId)
  if (photo.fileSeq === '' && uploadRow?.state === 'discarded') return drop(work, photo)
  if (job.row?.state === 'refused' || job.row?.state === 'expired') return DONE
  if (photo.userId !== work.userId) return park(work, job, 'refused', ['otherUser'])
  switch (act) {
    case 'upload':
      return upload(work, job)
    case 'rename':
      return rename(work, job)
    case 'delete':
      return photo.fileSeq === '' ? dropUnsent(work, job) : remove(work, job)
  }
}

async function upload(work: Work, job: Job): Promise<Went> {
  const { photo, uploadRow } = job
  // before all else: it is never 期限切れ or without a record while it is there (RULES EX2)
  if (isInDoubt(uploadRow)) {
    const stopped = await lookTwice(work, job)
    if (stopped) return stopped
  }
  const parent = await work.parents.folderOf(photo.resource, photo.recordKey)
  if (parent.kind === 'wait') return DONE
  if (parent.kind === 'gone') return park(work, job, 'refused', ['ec00002'])
  if (isExpired(work, job)) return park(work, job, 'expired', [])
  if (hasFailedEnough(job)) return park(work, job, 'refused', ['systemError'], job.row?.status)
  const folder: FileResult<string> =
    parent.kind === 'folder'
      ? { kind: 'accepted', value: parent.id }
      : await work.folders.made(parent.parentId, parent.name)
  if (folder.kind !== 'accepted') return after(work, job, folder)
  const bytes = await work.store.bytes.get(photo.key)
  if (!bytes) return park(work, job, 'refused', ['ec00017'])
  const { name, type } = photo
  const place: Place = { folderId: folder.value, name }
  if (!(await work.store.begin(photo, job.ledger, JSON.stringify(place)))) return DONE
  const sending = { ...job, uploadRow: (await work.store.ledger.read([photo.key])).get(photo.key) }
  const result = await work.files.upload(folder.value, { name, type, bytes }, work.hold)
  // one that never left was no try
  if (result.kind !== 'unreachable') work.looks.begun(photo.key)
  if (!isLost(result)) work.looks.answered(photo.key)
  if (result.kind === 'accepted') {
    went(work, photo.key)
    return settleUpload(work, sending, result.value)
  }
  if (result.kind === 'refused') work.folders.forget()
  return after(work, job, result)
}

/**
 * What a file store slower than the time limit makes of an upload is there a while later: the folder is read twice before
 * the upload leaves again (RULES OC9).
 * @returns null where it may
 */
async function lookTwice(work: Work, job: Job): Promise<Went | null> {
  const { looks } = work
  const { photo, uploadRow } = job
  const wait = looks.wait(photo.key)
  const back: FileResult<string | null> =
    wait > 0 ? { kind: 'accepted', value: null } : await readUploadBack(work, photo, uploadRow)
  if (back.kind !== 'accepted') return notTold(work, job, back)
  if (back.value) return settleUpload(work, job, back.value)
  const left = wait || (uploadRow?.payload === '' ? 0 : looks.absent(photo.key))
  if (left === 0) return null
  work.wake(left)
  return DONE
}

async function settleUpload(work: Work, job: Job, fileSeq: string): Promise<Went> {
  const { store } = work
  const { folderId, name } = sentPlace(job.uploadRow) ?? { folderId: '', name: job.photo.name }
  await store.ledger.patch(job.photo.key, {
    state: 'accepted',
    serverId: fileSeq,
    reasons: [],
    settledAt: isoNow(work),
  })
  await store.modify(job.photo.key, (latest) => ({ ...latest, fileSeq, folderId, storeName: name }))
  await store.bytes.release(job.photo.key)
  return MORE
}

async function rename(work: Work, job: Job): Promise<Went> {
  const { fileSeq, folderId, name } = job.photo
  const stopped = (await lookAt(work, job, 'rename')) ?? (await begin(work, job, { folderId, name }))
  if (stopped) return stopped
  const result = await work.files.rename(folderId, { fileSeq, name }, work.hold)
  if (result.kind !== 'accepted') return after(work, job, result)
  went(work, job.photo.changeId)
  return renamed(work, job)
}

async function renamed(work: Work, job: Job): Promise<Went> {
  const { key, name } = job.photo
  await accepted(work, job)
  await work.store.modify(key, (latest) => ({ ...latest, storeName: name }))
  return MORE
}

async function remove(work: Work, job: Job): Promise<Went> {
  const { fileSeq, folderId, name } = job.photo
  const stopped = (await lookAt(work, job, 'delete')) ?? (await begin(work, job, { folderId, name }))
  if (stopped) return stopped
  const result = await work.files.remove(folderId, fileSeq, work.hold)
  if (result.kind === 'refused') {
    // what somebody else deleted, or an earlier call of ours, is deleted
    const index = await work.files.files(folderId, true)
    const isThere = index.kind !== 'accepted' || index.value.some(({ file_seq }) => file_seq === fileSeq)
    if (isThere) return after(work, job, result)
  } else if (result.kind !== 'accepted') return after(work, job, result)
  else went(work, job.photo.changeId)
  return removed(work, job)
}

async function removed(work: Work, job: Job): Promise<Went> {
  await accepted(work, job)
  await work.store.remove(job.photo.key)
  return DONE
}

/**
 * What became of a rename or a deletion that left: it is never 期限切れ, nor taken back, while its effect is there (EX2).
 * @returns null where it is to be sent, for the first time or again
 */
async function lookAt(work: Work, job: Job, act: 'rename' | 'delete'): Promise<Went | null> {
  const { row, photo } = job
  if (!row || !isInDoubt(row)) return null
  const index = await readFile(work, photo)
  if (index.kind !== 'accepted') return notTold(work, job, index)
  const file = index.value
  if (act === 'delete' && !file) return removed(work, job)
  if (act === 'rename' && file?.name === photo.name) return renamed(work, job)
  if (row.wish !== 'discard') return null
  await takeBack(work.store, row, isoNow(work))
  return MORE
}

/** A photo that is to go and was never there: unless an upload is in doubt, which is looked at first (RULES OC3). */
async function dropUnsent(work: Work, job: Job): Promise<Went> {
  const { photo, uploadRow } = job
  if (uploadRow && mayBeDone(uploadRow)) {
    const back = await readUploadBack(work, photo, uploadRow)
    if (back.kind !== 'accepted') return notTold(work, job, back)
    if (back.value) return settleUpload(work, job, back.value)
  }
  if (uploadRow) await work.store.ledger.patch(photo.key, { state: 'discarded', settledAt: isoNow(work) })
  return drop(work, photo)
}

async function drop({ store }: Work, { key }: PhotoRecord): Promise<Step> {
  await store.remove(key)
  return DONE
}

/** @returns what keeps the call from leaving, or null once the ledger says `sending` */
async function begin(work: Work, job: Job, place: Place): Promise<Step | null> {
  if (isExpired(work, job)) return park(work, job, 'expired', [])
  if (hasFailedEnough(job)) return park(work, job, 'refused', ['systemError'], job.row?.status)
  return (await work.store.begin(job.photo, job.ledger, JSON.stringify(place))) ? null : DONE
}

const accepted = ({ store, now }: Work, { photo, ledger }: Job) =>
  store.note(photo, ledger, {
    state: 'accepted',
    serverId: photo.fileSeq,
    reasons: [],
    settledAt: new Date(now()).toISOString(),
  })

const hasFailedEnough = ({ row }: Job) => (row?.serverErrors ?? 0) >= MAX_SERVER_ERRORS

/** What is unsent for a day is no longer sent by itself (RULES EX2); 再送 counts as saving it again. */
const isExpired = ({ now }: Work, { photo, row }: Job) =>
  now() - Date.parse(row?.savedAt ?? photo.savedAt) > EXPIRY_HOURS * 3_600_000
