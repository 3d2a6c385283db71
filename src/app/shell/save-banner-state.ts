/**
 * State of the two banners about saves: one for the last save, one for all refusals. A pure fold over saves, the queue and
 * the obstacles to sending. `data/outbox/save-story` follows a save; this decides which banner is on the screen:
 *
 *     saved ──→ the save's banner ──┬─ queue or signal changed: the next phase, with or without 元に戻す
 *                                   └─ undone: none
 *
 * A banner that must be shown again is another object; an unchanged banner is the same object.
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Outbox } from '#data/outbox/outbox.ts'
import {
  begin,
  dismissRefusals,
  follow,
  NO_STORIES,
  type Gate,
  type SavePhase,
  type Stories,
} from '#data/outbox/save-story.ts'
import { undoable, type MadeSave } from '#data/outbox/undo-save.ts'

/** Phases in which nothing of the save is sent: its banner may offer 元に戻す. */
const STAYS_HERE: readonly SavePhase[] = ['offline', 'login', 'held', 'waiting']

export interface Made extends MadeSave {
  path: string
}

export interface SaveBanners {
  stories: Stories
  /** Null before the queue is first read. */
  outbox: Outbox | null
  made: Made | null
  /** Content of the last save's banner; null: no banner. */
  save: { phase: SavePhase; back: boolean; said: readonly string[] } | null
  /** Content of the refusals' banner; another signature is another banner. */
  refused: { items: readonly QueueItem[]; signature: string }
}

/** Which of the shown banners the user has not closed. */
interface Open {
  save: boolean
  refused: boolean
}

export const NO_BANNERS: SaveBanners = {
  stories: NO_STORIES,
  outbox: null,
  made: null,
  save: null,
  refused: { items: [], signature: '' },
}

/** After a save: its banner is shown in any case, also with the same text as the last one. */
export function afterSave(banners: SaveBanners, made: Made, gate: Gate): SaveBanners {
  const { stories, phase } = begin(banners.stories, made.stamps, gate)
  return withPhase({ ...banners, made, stories, save: null }, phase ?? null, true)
}

/** The banners after a change of the queue, a send state, the signal or the session. */
export function afterChange(banners: SaveBanners, gate: Gate, open: Open): SaveBanners {
  if (!banners.outbox) return banners
  const isClosed = banners.refused.signature !== '' && !open.refused
  const before = isClosed ? dismissRefusals(banners.stories) : banners.stories
  const { stories, phase, refused } = follow(before, banners.outbox, gate)
  const next = withPhase(
    { ...banners, stories },
    phase === undefined ? (banners.save?.phase ?? null) : phase,
    open.save,
  )
  // the same refusals are not shown again
  const signature = [...(stories.shown ?? [])].join()
  return signature === banners.refused.signature ? next : { ...next, refused: { items: refused, signature } }
}

/** The state after 元に戻す: the save has no banner any more. */
export const afterUndo = (banners: SaveBanners): SaveBanners => ({
  ...banners,
  made: null,
  stories: { ...banners.stories, story: null },
  save: null,
})

/** Changes and photos of the last save that are still in the queue. */
export function itemsOfSave({ made, outbox }: SaveBanners): readonly QueueItem[] {
  if (!made || !outbox) return []
  const all = [...outbox.queue, ...outbox.photos.flatMap(({ items }) => items)]
  return all.filter(({ change }) => made.stamps.includes(change.stamp))
}

/** The save that 元に戻す would undo; null if part of it was sent. */
export const takeable = ({ made, outbox }: SaveBanners) => made && outbox && undoable(outbox, made.stamps)

/** Messages of the CRM's acceptance of the last save (spec 8). */
const saidOf = ({ made, outbox }: SaveBanners): string[] =>
  [...(outbox?.progress.values() ?? [])]
    .filter(({ state, stamp }) => state === 'accepted' && made?.stamps.includes(stamp))
    .flatMap(({ reasons }) => reasons)

/** A banner that the user closed stays closed. */
function withPhase(banners: SaveBanners, phase: SavePhase | null, isOpen: boolean): SaveBanners {
  if (phase === null) return banners.save === null ? banners : { ...banners, save: null }
  const back = STAYS_HERE.includes(phase) && takeable(banners) !== null
  const isSame = phase === banners.save?.phase && (back === banners.save.back || !isOpen)
  return isSame
    ? banners
    : { ...banners, save: { phase, back, said: phase === 'done' ? saidOf(banners) : [] } }
}
