/** What the witness keeps of a save. */
import { CREATING_KINDS } from '#schemas/changes/change-queue.ts'
import type { AnyChange, SendFacts } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { Disk } from './disk.ts'
import { contentOf, isSameValue, recordKinds, type Held } from './record-kinds.ts'

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
  /** The newest save of the record when 破棄 was pressed; empty until then. */
  newestAtDiscard: string
  /** It was discarded as something that never left. */
  atOnce: boolean
  /** What was asked for last, and is on disk. */
  wish: 'none' | 'resend' | 'discard'
  /** Counts what was asked for. */
  asked: number
  /** A POST of it left, and nobody has looked since what became of it. */
  inDoubt: boolean
  /** The last answer to it said neither yes nor no. */
  unclear: boolean
  /** When the call that ended that left, epoch ms. */
  clearedAt: number
  /**
   * The CRM had the record, a colleague's, and what was to make it here was refused or expired: it hangs on nothing (RULES
   * OR3).
   */
  onTheirs: boolean
  /** It was so at some time: what depends on it may come later than others. */
  doubted: boolean
}

/** Of a save that has just landed, beside `made`. */
export const NEW_SAVE = {
  acked: false,
  parked: false,
  discardAsked: false,
  newestAtDiscard: '',
  atOnce: false,
  wish: 'none',
  asked: 0,
  inDoubt: false,
  unclear: false,
  clearedAt: -Infinity,
  doubted: false,
  onTheirs: false,
} as const

/** It makes its record in the CRM: all else of the record waits for it. */
export const isEntry = ({ change }: Save) => CREATING_KINDS.includes(change.kind)
const sameRecord = (a: Save, b: Save) => a.disk === b.disk && a.collection === b.collection && a.key === b.key
/**
 * A later save of the same thing counts in its place; one that makes a record whole stands for its edits, too, and an edit of
 * a colleague's for what was refused of making one.
 */
export const standsFor = (later: Save, save: Save) =>
  sameRecord(later, save) &&
  (isEntry(later) === isEntry(save) ||
    later.change.kind === 'create' ||
    (later.onTheirs && save.change.kind === 'create'))

/** The CRM makes it twice where it is sent twice. */
export const isUnkeyed = (save: Save) => isEntry(save) && recordKinds[save.collection].key === null
export const isInDoubt = ({ state }: SendFacts) => state === 'sending' || state === 'unknown'

const DAY_MS = 86_400_000
const SLACK_MS = 60_000

/**
 * 期限切れ before a day has passed: a clock that was set is none (RULES EX3). What it stamped in the past nobody can date, nor
 * anything where the CRM does not say how late it is.
 */
export function isTooEarly(
  { change, call }: Save,
  { now, start, dated }: { now: () => number; start: number; dated: boolean },
): boolean {
  const isBackdated = Date.parse(change.savedAt) < start + call.at - SLACK_MS
  return dated && !isBackdated && now() - call.at < DAY_MS - SLACK_MS
}

/** A record says what was saved. @returns what is otherwise */
export function madeOtherwise(
  save: Save | undefined,
  before: readonly Held[],
  after: readonly Held[],
): string[] {
  if (!save || save.collection === 'quickReports') return []
  const saved = contentOf(save.collection, save.change.fields)
  return after
    .filter(({ id }) => before.every((old) => old.id !== id))
    .flatMap(({ fields }) =>
      Object.entries(saved)
        .filter(([field, value]) => !isSameValue(fields[field], value))
        .map(([field, value]) => `${save.change.id} made with ${field} ${fields[field]}, saved was ${value}`),
    )
}
