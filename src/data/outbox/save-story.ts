/**
 * The state of the banners about the last save and about refusals. A pure fold over the queue:
 *
 *     saved ──→ sending ──→ done                     the CRM has all of it, photos too
 *      │        ├──→ held, login, waiting, offline   why it is not sent now
 *      │        └──→ (refused: the other banner)     ──再送──→ sending
 *      └ no signal: offline, and the story ends; a later notice says that the queue was sent (sync RULES ST2)
 *
 * No banner says more than the CRM answered (ST1). Refusals from earlier runs of the app are not announced
 * again.
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Outbox } from './outbox.ts'

/** What blocks all sending: nothing, no signal, or an expired session. */
export type Gate = 'open' | 'offline' | 'login'

/** The state of the last save as its banner shows it. */
export type SavePhase = 'sending' | 'again' | 'held' | 'offline' | 'login' | 'waiting' | 'done'

interface Story {
  /** Stamps of the changes and photos that the save wrote. */
  stamps: readonly string[]
  /** True once the changes were in the queue. If they are missing later, they were sent or discarded. */
  seen: boolean
  /** True if the save was refused before and is being sent again. */
  isAgain: boolean
  phase: SavePhase
}

export interface Stories {
  /** The last save; null if no banner has to report on it any more. */
  story: Story | null
  /** Refusals on display, by `refusalOf`; null until the queue was first read. */
  shown: ReadonlySet<string> | null
  /** Refusals that were shown before or dismissed. */
  over: ReadonlySet<string>
}

interface SaveNotice {
  stories: Stories
  /** The state that the save's banner shows; null removes the banner, undefined does not change it. */
  phase: SavePhase | null | undefined
  /** All refused items that the user has neither resolved nor dismissed, in sending order. */
  refused: QueueItem[]
}

export const NO_STORIES: Stories = { story: null, shown: null, over: new Set() }

/** Identifies one refusal: a change can be refused again after 再送. */
const refusalOf = ({ progress, change }: QueueItem) => `${change.id} ${progress?.settledAt ?? ''}`
const idOf = (refusal: string) => refusal.slice(0, refusal.indexOf(' '))

/**
 * Starts following a save.
 * @param stamps stamps of the changes and photos that the save wrote; empty if nothing had changed
 */
export function begin(stories: Stories, stamps: readonly string[], gate: Gate): SaveNotice {
  const phase: SavePhase = stamps.length === 0 ? 'done' : gate === 'open' ? 'sending' : gate
  const story =
    phase === 'sending' || phase === 'login' ? { stamps, seen: false, isAgain: false, phase } : null
  return { stories: { ...stories, story }, phase, refused: [] }
}

/** The user dismissed the refusals on display. */
export const dismissRefusals = (stories: Stories): Stories => ({
  ...stories,
  shown: new Set(),
  over: new Set([...stories.over, ...(stories.shown ?? [])]),
})

/** Updates the state when the queue or the signal changes. */
export function follow(stories: Stories, outbox: Outbox, gate: Gate): SaveNotice {
  const items = [...outbox.queue, ...outbox.photos.flatMap((group) => group.items)]
  const failed = items.filter(({ state }) => state === 'failed')
  const now = new Set(failed.map(refusalOf))
  // Refusals from before the app started count as shown.
  if (stories.shown === null) return follow({ ...stories, shown: new Set(), over: now }, outbox, gate)
  const shown = new Set([...now].filter((refusal) => !stories.over.has(refusal)))
  const resent = stampsResent(stories.shown, items)
  const story =
    resent.length > 0 ? { stamps: resent, seen: true, isAgain: true, phase: 'again' as const } : stories.story
  const next = story && nextOf(story, items, outbox, gate)
  return {
    stories: { story: next?.story ?? null, shown, over: stories.over },
    phase: next ? next.phase : undefined,
    refused: failed.filter((item) => shown.has(refusalOf(item))),
  }
}

/** Stamps of refused items that are being sent again. */
function stampsResent(shown: ReadonlySet<string>, items: readonly QueueItem[]): string[] {
  const ids = [...shown].map(idOf)
  return items
    .filter(({ state, change }) => state !== 'failed' && state !== 'expired' && ids.includes(change.id))
    .filter(({ progress }) => progress?.state !== 'discarded' && progress?.wish !== 'discard')
    .map(({ change }) => change.stamp)
}

function nextOf(
  story: Story,
  all: readonly QueueItem[],
  { progress, wait }: Outbox,
  gate: Gate,
): { story: Story | null; phase: SavePhase | null } {
  const items = all.filter(({ change }) => story.stamps.includes(change.stamp))
  if (items.length === 0) {
    const isSent = [...progress.values()].some(
      ({ state, stamp }) => state === 'accepted' && story.stamps.includes(stamp),
    )
    if (isSent) return { story: null, phase: 'done' }
    // The save was discarded, or replaced by a later save.
    return story.seen ? { story: null, phase: null } : { story, phase: story.phase }
  }
  if (items.some(({ state }) => state === 'failed' || state === 'expired'))
    return { story: null, phase: null }
  const phase = phaseOf(story, items, gate, wait !== null)
  return { story: phase === 'offline' ? null : { ...story, seen: true, phase }, phase }
}

/**
 * The phase of a save with unsent items.
 * @param waits true if the CRM accepts nothing at the moment (ST3); ignored after 再送, because the reason is older than
 * the 再送
 */
function phaseOf(story: Story, items: readonly QueueItem[], gate: Gate, waits: boolean): SavePhase {
  if (items.some(({ blockedBy }) => blockedBy !== undefined)) return 'held'
  if (gate !== 'open') return gate
  if (waits && !story.isAgain && items.every(({ state }) => state === 'waiting')) return 'waiting'
  return story.isAgain ? 'again' : 'sending'
}
