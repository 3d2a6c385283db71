/**
 * Sends the pending act of one photo (crm-contract 5) under its lock, with the sender's steps (`changes/attempt.ts`):
 *
 *     upload: read back by name in the folder; waits until the folder of its record is known (RULES OR2)
 *     rename, delete: read back by the file's id; a file that no longer exists counts as deleted
 */
import { isInDoubt } from '#schemas/changes/change-queue.ts'
import { photoAct, photoItem, type PhotoAct, savedAnew } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { attempt } from '#sync/changes/attempt.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import type { SendAdapter, AttemptEnd } from '#sync/changes/send-adapter.ts'
import {
  removing,
  renaming,
  uploading,
  type Act,
  type Made,
  type PhotoJob,
  type SendParts,
  type Work,
} from './photo-acts.ts'
import { withPhotoLock, type PhotoStore } from './photo-store.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { applyUserRequest } from '#sync/changes/requested.ts'
import { isoNow, mayHaveArrived } from '#sync/changes/unsent.ts'

const DONE: Step = { kind: 'done' }

const ACTS: Record<PhotoAct, Act> = { upload: uploading, rename: renaming, delete: removing }

export const sendPhoto = (parts: SendParts, key: string): Promise<Step> =>
  withPhotoLock(parts, key, async (store, lease) => {
    const work = { ...parts, lease, store, states: store.states }
    for (;;) {
      const end = await attempt(work, photoAdapter(work, key))
      if (end.kind !== 'more') return end
    }
  })

/** The send adapter of a photo; the act is chosen at each load. */
const photoAdapter = (work: Work, key: string): SendAdapter<PhotoJob, Made> => ({
  load: () => load(work, key),
  isInDoubt: ({ item }) => isInDoubt(item),
  needsSecondReadBack: (job) => isInDoubt(job.item) && wouldDuplicate(job.photo),
  readBack: async (job) => (isInDoubt(job.item) ? ACTS[job.act].readBack(work, job) : { kind: 'absent' }),
  wake: (_, ms) => work.wake(ms),
  findBlocker: async (job) => ACTS[job.act].findBlocker?.(work, job) ?? null,
  plan: (job) => ACTS[job.act].plan(work, job),
  readBackAfterRefusal: async (job) => ACTS[job.act].readBackAfterRefusal?.(work, job) ?? { kind: 'absent' },
  acceptedFacts: (job, made) => ACTS[job.act].acceptedFacts?.(job, made) ?? {},
  settle: (job) => ACTS[job.act].settle(work, job),
})

/** True if a late call would leave an unwanted file, name or deletion, so it is read back twice (RULES OC9). */
const wouldDuplicate = ({ payload, fileSeq, wish }: PhotoRecord): boolean =>
  payload !== '' && (fileSeq === '' || wish === 'discard')

async function load(work: Work, key: string): Promise<{ kind: 'due'; job: PhotoJob } | AttemptEnd> {
  const photo = await work.store.photo(key)
  const act = photo && photoAct(photo)
  const item = photo && photoItem(photo)
  return photo && act && item ? { kind: 'due', job: { item, photo, act } } : DONE
}

interface Parts {
  store: PhotoStore
  locks: Locks
  now: () => number
}

/** Applies 再送 and 破棄 of these photos, each under its lock, so that no photo is discarded while it is being sent. */
export const applyPhotoRequests =
  (parts: Parts) =>
  async (keys: readonly string[]): Promise<void> => {
    const apply = (key: string) =>
      withPhotoLock(parts, key, (store) =>
        applyUserRequest(store.states, key, parts.now, {
          needsReadBack: (entry) =>
            mayHaveArrived(entry) || (entry.kind === 'upload' && entry.payload !== ''),
          discard: (entry) => discard(store, entry, isoNow(parts)),
        }),
      )
    // a photo in progress has its lock, so requests for the others do not wait for it
    await Promise.all(keys.map(apply))
  }

/**
 * The only code that discards an unsent photo (RULES SV3). A rename or deletion that may have arrived is undone by
 * the sender.
 */
async function discard(store: PhotoStore, photo: SendFacts, settledAt: string): Promise<void> {
  const { states } = store
  const { id: key, kind, serverId } = photo
  if (kind === 'delete' && serverId === '') return store.modify(key, (latest) => savedAnew(latest, WANTED))
  if (!mayHaveArrived(photo)) {
    await states.putById(key, 'discarded', { wish: 'none', settledAt })
    return kind === 'upload' ? store.bytes.remove(key) : undefined
  }
  if (kind === 'upload') return store.modify(key, (latest) => savedAnew(latest, UNWANTED))
  return photo.state === 'unknown' ? undefined : states.putById(key, 'resentInDoubt')
}

const WANTED = { wanted: 'kept' } as const
const UNWANTED = { wanted: 'deleted' } as const
