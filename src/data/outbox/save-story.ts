/**
 * One save, one story: what the banners say of a save and of what the CRM refused. A pure fold over the queue:
 *
 *     saved ──→ sending ──→ done                     the CRM has all of it, photos too
 *        │        ├──→ held, login, waiting, offline why it does not go now
 *        │        └──→ (refused: the other banner)   ──再送──→ sending
 *        └ without signal: offline, and the story ends; a later one says that the queue was sent (sync RULES ST2)
 *
 * Nothing here says more than the CRM answered (ST1). Refusals of earlier runs of the app were told then.
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Outbox } from './outbox.ts'

/** What is in the way of all sending. */
export type Gate = 'open' | 'offline' | 'login'

/** What is said of the last save. */
export type SavePhase = 'sending' | 'again' | 'held' | 'offline' | 'login' | 'waiting' | 'done'

interface Story {
  /** Of the changes and photos that were saved. */
  stamps: readonly string[]
  /** They were in the queue: when they are no more, they were sent or given up. */
  seen: boolean
  /** It was refused before. */
  isAgain: boolean
  phase: SavePhase
}

export interface Stories {
  /** The last save, as long as there may be more to say of it. */
  story: Story | null
  /** Refusals that are told, by `refusalOf`; null before the queue was first read. */
  told: ReadonlySet<string> | null
  /** Refusals that were told before, or dismissed. */
  over: ReadonlySet<string>
}

export interface SaveNotice {
  stories: Stories
  /** What the banner of the save says; null takes it away, undefined leaves it. */
  phase: SavePhase | null | undefined
  /** All that is refused and neither resolved nor dismissed, in sending order. */
  refused: QueueItem[]
}

export const NO_STORIES: Stories = { story: null, told: null, over: new Set() }

/** The same change may be refused again, after 再送. */
const refusalOf = ({ ledger, change }: QueueItem) => `${change.id} ${ledger?.settledAt ?? ''}`
const idOf = (refusal: string) => refusal.slice(0, refusal.indexOf(' '))

/** A save was made. @param stamps of what it wrote; none: nothing had changed */
export function begin(stories: Stories, stamps: readonly string[], gate: Gate): SaveNotice {
  const phase: SavePhase = stamps.length === 0 ? 'done' : gate === 'open' ? 'sending' : gate
  const story =
    phase === 'sending' || phase === 'login' ? { stamps, seen: false, isAgain: false, phase } : null
  return { stories: { ...stories, story }, phase, refused: [] }
}

/** The refusals that are told were dismissed by hand. */
export const dismissRefusals = (stories: Stories): Stories => ({
  ...stories,
  told: new Set(),
  over: new Set([...stories.over, ...(stories.told ?? [])]),
})

/** The changes or the signal have changed. */
export function follow(stories: Stories, outbox: Outbox, gate: Gate): SaveNotice {
  const items = [...outbox.queue, ...outbox.photos.flatMap((group) => group.items)]
  const failed = items.filter(({ state }) => state === 'failed')
  const now = new Set(failed.map(refusalOf))
  // what was refused before the app began
  if (stories.told === null) return follow({ ...stories, told: new Set(), over: now }, outbox, gate)
  const told = new Set([...now].filter((refusal) => !stories.over.has(refusal)))
  const resent = stampsResent(stories.told, items)
  const story =
    resent.length > 0 ? { stamps: resent, seen: true, isAgain: true, phase: 'again' as const } : stories.story
  const next = story && nextOf(story, items, outbox, gate)
  return {
    stories: { story: next?.story ?? null, told, over: stories.over },
    phase: next ? next.phase : undefined,
    refused: failed.filter((item) => told.has(refusalOf(item))),
  }
}

/** Of what was told as refused and is on its way once more. */
function stampsResent(told: ReadonlySet<string>, items: readonly QueueItem[]): string[] {
  const ids = [...told].map(idOf)
  return items
    .filter(({ state, change }) => state !== 'failed' && state !== 'expired' && ids.includes(change.id))
    .filter(({ ledger }) => ledger?.state !== 'discarded' && ledger?.wish !== 'discard')
    .map(({ change }) => change.stamp)
}

function nextOf(
  story: Story,
  all: readonly QueueItem[],
  { ledger, wait }: Outbox,
  gate: Gate,
): { story: Story | null; phase: SavePhase | null } {
  const items = all.filter(({ change }) => story.stamps.includes(change.stamp))
  if (items.length === 0) {
    const isSent = [...ledger.values()].some(
      ({ state, stamp }) => state === 'accepted' && story.stamps.includes(stamp),
    )
    if (isSent) return { story: null, phase: 'done' }
    // given up, or replaced by a later save
    return story.seen ? { story: null, phase: null } : { story, phase: story.phase }
  }
  if (items.some(({ state }) => state === 'failed' || state === 'expired'))
    return { story: null, phase: null }
  const phase = phaseOf(story, items, gate, wait !== null)
  return { story: phase === 'offline' ? null : { ...story, seen: true, phase }, phase }
}

/** @param waits the CRM does not take what could go (ST3); what it said before 再送 says nothing of now */
function phaseOf(story: Story, items: readonly QueueItem[], gate: Gate, waits: boolean): SavePhase {
  if (items.some(({ heldBy }) => heldBy !== undefined)) return 'held'
  if (gate !== 'open') return gate
  if (waits && !story.isAgain && items.every(({ state }) => state === 'waiting')) return 'waiting'
  return story.isAgain ? 'again' : 'sending'
}
