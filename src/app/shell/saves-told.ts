/**
 * What the two banners of saves say: one of the last save, one of all that is refused. A pure fold over saves, the queue and
 * what is in the way of sending; `data/save-story` says what became of a save, this what of it is on the screen:
 *
 *     saved ──→ the save's banner ──┬─ looked: the next phase, with or without 元に戻す
 *                                   └─ taken back: none
 *
 * A banner that is to be shown anew is another object than before; one that stays is the same.
 */
import type { QueueItem } from '#schemas/change-queue.ts'
import type { Outbox } from '#data/outbox.ts'
import {
  begin,
  dismissRefusals,
  follow,
  NO_STORIES,
  type Gate,
  type SavePhase,
  type Stories,
} from '#data/save-story.ts'
import { undoable, type MadeSave } from '#data/undo-save.ts'

/** While the banner of a save says this, nothing of it leaves: 元に戻す may stand there. */
const STAYS_HERE: readonly SavePhase[] = ['offline', 'login', 'held', 'waiting']

export interface Made extends MadeSave {
  path: string
}

export interface SavesTold {
  stories: Stories
  /** Null before the queue was first read. */
  outbox: Outbox | null
  /** The last save, until it was taken back. */
  made: Made | null
  /** What the banner of the last save says; null: there is none. */
  save: { phase: SavePhase; back: boolean; said: readonly string[] } | null
  /** What the banner of refusals tells, and by what one knows it from another. */
  refused: { items: readonly QueueItem[]; signature: string }
}

/** Of the banners that were shown, those that nobody closed. */
export interface Open {
  save: boolean
  refused: boolean
}

export const NOTHING_TOLD: SavesTold = {
  stories: NO_STORIES,
  outbox: null,
  made: null,
  save: null,
  refused: { items: [], signature: '' },
}

/** A save was made: what it says comes in any case, also where the last one said the same. */
export function withSaved(told: SavesTold, made: Made, gate: Gate): SavesTold {
  const { stories, phase } = begin(told.stories, made.stamps, gate)
  return withPhase({ ...told, made, stories, save: null }, phase ?? null, true)
}

/** The queue, the ledger, the signal or the session have changed. */
export function withLook(told: SavesTold, gate: Gate, open: Open): SavesTold {
  if (!told.outbox) return told
  const isClosed = told.refused.signature !== '' && !open.refused
  const before = isClosed ? dismissRefusals(told.stories) : told.stories
  const { stories, phase, refused } = follow(before, told.outbox, gate)
  const next = withPhase(
    { ...told, stories },
    phase === undefined ? (told.save?.phase ?? null) : phase,
    open.save,
  )
  // the same refusals again are no news
  const signature = [...(stories.told ?? [])].join()
  return signature === told.refused.signature ? next : { ...next, refused: { items: refused, signature } }
}

/** 元に戻す was pressed: no more is said of that save. */
export const withoutSave = (told: SavesTold): SavesTold => ({
  ...told,
  made: null,
  stories: { ...told.stories, story: null },
  save: null,
})

/** What of the queue the last save wrote: changes and photos. */
export function itemsOfSave({ made, outbox }: SavesTold): readonly QueueItem[] {
  if (!made || !outbox) return []
  const all = [...outbox.queue, ...outbox.photos.flatMap(({ items }) => items)]
  return all.filter(({ change }) => made.stamps.includes(change.stamp))
}

/** What 元に戻す would take back; null where something has left. */
export const takeable = ({ made, outbox }: SavesTold) => made && outbox && undoable(outbox, made.stamps)

/** What the CRM said of the last save when it took it (spec 8). */
const saidOf = ({ made, outbox }: SavesTold): string[] =>
  [...(outbox?.ledger.values() ?? [])]
    .filter(({ state, stamp }) => state === 'accepted' && made?.stamps.includes(stamp))
    .flatMap(({ reasons }) => reasons)

/** One that was closed stays closed. */
function withPhase(told: SavesTold, phase: SavePhase | null, isOpen: boolean): SavesTold {
  if (phase === null) return told.save === null ? told : { ...told, save: null }
  const back = STAYS_HERE.includes(phase) && takeable(told) !== null
  const isSame = phase === told.save?.phase && (back === told.save.back || !isOpen)
  return isSame ? told : { ...told, save: { phase, back, said: phase === 'done' ? saidOf(told) : [] } }
}
