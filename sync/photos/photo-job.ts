/** What a photo is sent with. */
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { Step } from '../queue/drain.ts'
import type { Faults } from '../queue/own-fault.ts'
import type { Looks } from '../queue/second-look.ts'
import type { Hold, Locks } from '../leadership/hold.ts'
import type { FileStore } from './file-store.ts'
import type { PhotoFolders } from './photo-folders.ts'
import type { PhotoStore } from './photo-store.ts'
import type { PhotoParents } from './ports.ts'

export interface SendParts {
  store: PhotoStore
  files: FileStore
  folders: PhotoFolders
  parents: PhotoParents
  locks: Locks
  now: () => number
  userId: string
  /** Of the file store: its calls say nothing of the CRM. */
  faults: Faults
  looks: Looks
  /** The lane goes on after so long. */
  wake: (ms: number) => void
}

/** One photo and what the ledger says of it, as they are on disk now. */
export interface Job {
  photo: PhotoRecord
  ledger: Map<string, LedgerEntry>
  /** The row of the act that is due, and of the upload. */
  row: LedgerEntry | undefined
  uploadRow: LedgerEntry | undefined
}

/** `more`: something was settled, and what was saved meanwhile may be due. */
export type Went = Step | { kind: 'more' }

export interface Work extends SendParts {
  hold: Hold
}
