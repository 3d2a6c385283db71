/** Types shared by the steps that send a photo. */
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

/** `faults` counts answers of the file store only: its calls say nothing about the CRM. */
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
