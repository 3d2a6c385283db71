/** What a photo is sent with, and what is to be said of each act. */
import type { PhotoAct } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { StateFacts } from '#sync/changes/send-states.ts'
import type { Job, ReadBack, Plan, Sending, AttemptEnd } from '#sync/changes/send-adapter.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import type { FileStore } from './file-store.ts'
import type { PhotoFolders } from './photo-folders.ts'
import type { UploadPlace } from './photo-place.ts'
import type { PhotoStore } from './photo-store.ts'
import type { PhotoParents } from './ports.ts'

/** `faults` are of the file store: its calls say nothing of the CRM. */
export interface SendParts extends Omit<Sending, 'states' | 'hold'> {
  store: PhotoStore
  files: FileStore
  folders: PhotoFolders
  parents: PhotoParents
  locks: Locks
  /** What is left is gone through again after so long. */
  wake: (ms: number) => void
}

export interface Work extends SendParts, Sending {}

/** One photo, as it is on disk now. */
export interface PhotoJob extends Job {
  photo: PhotoRecord
  act: PhotoAct
}

/** The file that the file store has; of an upload, where it was sent. */
export interface Made {
  id: string
  place?: UploadPlace | null
}

/** What is to be said of one act (`SendAdapter`). */
export interface Act {
  look(work: Work, job: PhotoJob): Promise<ReadBack<Made>>
  heldBy?(work: Work, job: PhotoJob): Promise<Plan<PhotoJob, Made> | null>
  plan(work: Work, job: PhotoJob): Promise<Plan<PhotoJob, Made>>
  lookAfterRefusal?(work: Work, job: PhotoJob): Promise<ReadBack<Made>>
  /** What the file store has since. */
  madeOf?(job: PhotoJob, made: Made): StateFacts
  settle(work: Work, job: PhotoJob): Promise<AttemptEnd>
}
