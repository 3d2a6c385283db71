/** What the witness keeps of a save. */
import { CREATING_KINDS } from '#schemas/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/push-collections.ts'
import type { Disk } from './model-db.ts'

/** One press of a save button. */
export interface SaveCall {
  /** Its text in what it says, by which the CRM's side is told from others. */
  tag: string
  /** What the person changed of what was shown. */
  touched: readonly string[]
  started: number
  /** Virtual time, in milliseconds. */
  at: number
  confirmed: number | null
}

export interface Save {
  change: AnyChange
  collection: PushCollection
  key: string
  requestId: string
  device: string
  disk: Disk
  call: SaveCall
  /** The CRM acted on it. */
  acked: boolean
  /** The CRM's ids of what came of it; '' where its answer names none. */
  made: Set<string>
  parked: boolean
  discardAsked: boolean
  /** What was asked for last, and is on disk. */
  wish: 'none' | 'resend' | 'discard'
  /** A POST of it left, and nobody has looked since what became of it. */
  inDoubt: boolean
  /** The last answer to it said neither yes nor no. */
  unclear: boolean
  /** It was so at some time: what depends on it may come later than others. */
  doubted: boolean
}

/** Of a save that has just landed, beside `made`. */
export const NEW_SAVE = {
  acked: false,
  parked: false,
  discardAsked: false,
  wish: 'none',
  inDoubt: false,
  unclear: false,
  doubted: false,
} as const

/** It makes its record in the CRM: all else of the record waits for it. */
export const isEntry = ({ change }: Save) => CREATING_KINDS.includes(change.kind)
export const sameRecord = (a: Save, b: Save) =>
  a.disk === b.disk && a.collection === b.collection && a.key === b.key
/** A later save of the same thing counts in its place; one that makes a record whole stands for its edits, too. */
export const standsFor = (later: Save, save: Save) =>
  sameRecord(later, save) && (isEntry(later) === isEntry(save) || later.change.kind === 'create')
