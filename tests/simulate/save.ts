/** What the witness keeps of a save. */
import type { QuickReportChange } from '#schemas/quick-report.ts'
import type { ContentField } from './field-witness.ts'
import type { Disk } from './model-db.ts'

/** One press of a save button. */
export interface SaveCall {
  /** Its text in every exit or edit, by which the CRM's side is told from others. */
  tag: string
  /** What the person changed of what was shown. */
  touched: readonly ContentField[]
  started: number
  /** Virtual time, in milliseconds. */
  at: number
  confirmed: number | null
}

export interface Save {
  change: QuickReportChange
  key: string
  requestId: string
  device: string
  disk: Disk
  call: SaveCall
  /** The CRM acted on it. */
  acked: boolean
  effects: number
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

export const NEW_SAVE = {
  acked: false,
  effects: 0,
  parked: false,
  discardAsked: false,
  wish: 'none',
  inDoubt: false,
  unclear: false,
  doubted: false,
} as const

export const isEntry = ({ change }: Save) => change.kind === 'entry'
export const sameThing = (a: Save, b: Save) =>
  a.disk === b.disk && a.key === b.key && isEntry(a) === isEntry(b)
