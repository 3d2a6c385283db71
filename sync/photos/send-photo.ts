/**
 * Brings one photo to where it is wanted (crm-contract 5), under its own lock: the sender's steps (`queue/attempt.ts`), with
 * what they are for each act.
 *
 *     upload: looked for by its name in the folder; waits until its record's folder is known (RULES OR2)
 *     rename, delete: looked for by the file's id; a file that is not there any more is deleted
 */
import { isInDoubt } from '#schemas/changes/change-queue.ts'
import { photoAct, photoItem, type PhotoAct } from '#schemas/changes/photo-queue.ts'
import { attempt } from '#sync/changes/attempt.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import type { SendAdapter, AttemptEnd } from '#sync/changes/send-adapter.ts'
import { mayBeDone } from '#sync/changes/unsent.ts'
import { removing, renaming, uploading } from './photo-acts.ts'
import type { Act, Made, PhotoJob, SendParts, Work } from './photo-job.ts'
import { withPhotoLock } from './photo-lock.ts'
import { sentPlace } from './photo-place.ts'
import { dropPhoto, settleUpload } from './photo-settle.ts'

export type { SendParts } from './photo-job.ts'

const DONE: Step = { kind: 'done' }

const ACTS: Record<PhotoAct, Act> = { upload: uploading, rename: renaming, delete: removing }

export const sendPhoto = (parts: SendParts, key: string): Promise<Step> =>
  withPhotoLock(parts, key, async (store, hold) => {
    const work = { ...parts, hold, store, ledger: store.ledger }
    for (;;) {
      const went = await attempt(work, photoAdapter(work, key))
      if (went.kind !== 'more') return went
    }
  })

/** How a photo is sent: what is to be done with it now. */
const photoAdapter = (work: Work, key: string): SendAdapter<PhotoJob, Made> => ({
  load: () => load(work, key),
  isInDoubt: isLookedFor,
  isMadeTwice: (job) => isLookedFor(job) && isTooMuch(job),
  calledAs: (job) => calledRow(job)?.id ?? job.item.change.id,
  look: async (job) => (isLookedFor(job) ? ACTS[job.act].look(work, job) : { kind: 'absent' }),
  wake: (_, ms) => work.wake(ms),
  heldBy: async (job) => ACTS[job.act].heldBy?.(work, job) ?? null,
  plan: (job) => ACTS[job.act].plan(work, job),
  lookAfterRefusal: async (job) => ACTS[job.act].lookAfterRefusal?.(work, job) ?? { kind: 'absent' },
  settle: (job, made) => ACTS[job.act].settle(work, job, made),
})

/** Of a photo that is to go before it is known to be there, its upload (RULES OC3). */
const isOfUpload = ({ act, photo }: PhotoJob): boolean => act === 'delete' && photo.fileSeq === ''
const calledRow = (job: PhotoJob) => (isOfUpload(job) ? job.uploadRow : job.item.ledger)

const isLookedFor = (job: PhotoJob): boolean =>
  isOfUpload(job) ? mayBeDone(job.uploadRow) : isInDoubt(job.item)

/** A file that nobody wants any more, or a name or a deletion that was taken back (RULES OC9). */
const isTooMuch = (job: PhotoJob): boolean => {
  const row = calledRow(job)
  return row?.payload !== '' && (job.act === 'upload' || isOfUpload(job) || row?.wish === 'discard')
}

async function load(work: Work, key: string): Promise<{ kind: 'due'; job: PhotoJob } | AttemptEnd> {
  const photo = await work.store.photo(key)
  const act = photo && photoAct(photo)
  if (!photo || !act) return DONE
  const ledger = await work.ledger.read([photo.key, photo.changeId])
  const uploadRow = ledger.get(photo.key)
  // a crash between the ledger's word and the photo (RULES OC1)
  if (photo.fileSeq === '' && uploadRow?.state === 'accepted') return settleUpload(work, photo, uploadRow)
  if (photo.fileSeq === '' && uploadRow?.state === 'discarded') return dropPhoto(work, photo)
  const item = photoItem(photo, ledger)
  if (!item) return DONE
  const job = { item, photo, act, uploadRow }
  const row = item.ledger
  return row?.state === 'accepted'
    ? ACTS[act].settle(work, job, { id: row.serverId, place: sentPlace(row) })
    : { kind: 'due', job }
}
