/**
 * Computes the two banners about saves, one for the last save and one for all refusals, from saves, the queue and the
 * gate (signal and session). Pure. `data/outbox/save-story.ts` computes the phase of the last save:
 *
 *     saved ──→ the save's banner ──┬─ queue or gate changed: the banner of the new phase, with or without 元に戻す
 *                                   └─ undone: no banner
 *
 * A banner is shown again if its object in `SaveBanners` is a new one, and stays as it is if the object is the same.
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

/** Phases in which nothing of the save has been sent, so that its banner can offer 元に戻す. */
const UNSENT_PHASES: readonly SavePhase[] = ['offline', 'login', 'held', 'waiting']

export type Made = MadeSave & { path: string }

export interface SaveBanners {
  stories: Stories
  outbox: Outbox | null
  made: Made | null
  /** Content of the last save's banner; null for none. `acceptedTexts`: the CRM's messages about the save. */
  save: { phase: SavePhase; canUndo: boolean; acceptedTexts: readonly string[] } | null
  /** Content of the refusals' banner. The banner is shown again when `signature` changes. */
  refused: { items: readonly QueueItem[]; signature: string }
}

export const NO_BANNERS: SaveBanners = {
  stories: NO_STORIES,
  outbox: null,
  made: null,
  save: null,
  refused: { items: [], signature: '' },
}

/** Returns the banners after a save. Each save shows a new banner. */
export function afterSave(banners: SaveBanners, made: Made, gate: Gate): SaveBanners {
  const { stories, phase } = begin(banners.stories, made.stamps, gate)
  return withPhase({ ...banners, made, stories, save: null }, phase ?? null, true)
}

/** Returns the banners after a change of the queue, a send state, the signal or the session. */
export function afterChange(banners: SaveBanners, gate: Gate, open: { save: boolean; refused: boolean }) {
  if (!banners.outbox) return banners
  const isDismissed = banners.refused.signature !== '' && !open.refused
  const before = isDismissed ? dismissRefusals(banners.stories) : banners.stories
  const { stories, phase, refused } = follow(before, banners.outbox, gate)
  const next = withPhase(
    { ...banners, stories },
    phase === undefined ? (banners.save?.phase ?? null) : phase,
    open.save,
  )
  const signature = [...(stories.shown ?? [])].join()
  return signature === banners.refused.signature ? next : { ...next, refused: { items: refused, signature } }
}

/** Returns the banners after 元に戻す, without the banner of the undone save. */
export const afterUndo = (banners: SaveBanners): SaveBanners => ({
  ...banners,
  made: null,
  stories: { ...banners.stories, story: null },
  save: null,
})

/** Returns changes and photos of the last save that are still in the queue. */
export function itemsOfSave({ made, outbox }: SaveBanners): readonly QueueItem[] {
  if (!made || !outbox) return []
  const all = [...outbox.queue, ...outbox.photos.flatMap(({ items }) => items)]
  return all.filter(({ change }) => made.stamps.includes(change.stamp))
}

/** Returns the items that 元に戻す removes; null if some of the save was already sent. */
export const undoableItems = ({ made, outbox }: SaveBanners) =>
  made && outbox && undoable(outbox, made.stamps)

const acceptedTextsOf = ({ made, outbox }: SaveBanners): string[] =>
  [...(outbox?.progress.values() ?? [])]
    .filter(({ state, stamp }) => state === 'accepted' && made?.stamps.includes(stamp))
    .flatMap(({ reasons }) => reasons)

/** The banners with the last save in this phase. A closed banner is shown again in another phase only. */
function withPhase(banners: SaveBanners, phase: SavePhase | null, isOpen: boolean): SaveBanners {
  if (phase === null) return banners.save === null ? banners : { ...banners, save: null }
  const canUndo = UNSENT_PHASES.includes(phase) && undoableItems(banners) !== null
  const isSame = phase === banners.save?.phase && (canUndo === banners.save.canUndo || !isOpen)
  if (isSame) return banners
  const acceptedTexts = phase === 'done' ? acceptedTextsOf(banners) : []
  return { ...banners, save: { phase, canUndo, acceptedTexts } }
}
