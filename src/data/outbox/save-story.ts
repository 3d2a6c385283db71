/**
 * Computes, whenever the queue changes, what the banners about the last save and about refusals show. Pure.
 *
 *     saved ──→ sending ──→ done                     the CRM has all of it, photos too
 *      │        ├──→ held, login, waiting, offline   why it is not sent now
 *      │        └──→ (refused: the other banner)     ──再送──→ sending
 *      └ no signal: offline, and the story ends; a later notice says that the queue was sent (sync RULES ST2)
 *
 * A banner reports success only after the CRM's answer (ST1). Refusals of earlier app runs are not shown again.
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Outbox } from './outbox.ts'

/** Reason why nothing can be sent: no signal, or an expired session. `open`: no such reason. */
export type Gate = 'open' | 'offline' | 'login'

/**
 * State of the last save, for its banner. `again`: sent again after 再送. `held`: waits for a failed change of the record.
 * `waiting`: the CRM accepts nothing now. `done`: the CRM has all of it.
 */
export type SavePhase = 'sending' | 'again' | 'held' | 'offline' | 'login' | 'waiting' | 'done'

interface Story {
  stamps: readonly string[]
  /** True once the save's changes were found in the queue. If they are missing later, they were sent or discarded. */
  seen: boolean
  isAgain: boolean
  phase: SavePhase
}

export interface Stories {
  story: Story | null
  /** Refusals that are shown, as `refusalOf` names them; null until the queue was read. */
  shown: ReadonlySet<string> | null
  /** Refusals that the user has closed, or that are from earlier app runs. They are not shown again. */
  over: ReadonlySet<string>
}

interface SaveNotice {
  stories: Stories
  /** New state of the save's banner; null removes the banner, undefined leaves it unchanged. */
  phase: SavePhase | null | undefined
  refused: QueueItem[]
}

export const NO_STORIES: Stories = { story: null, shown: null, over: new Set() }

/** Names a refusal. It contains the time, because a change can be refused again after 再送. */
const refusalOf = ({ progress, change }: QueueItem) => `${change.id} ${progress?.settledAt ?? ''}`
const idOf = (refusal: string) => refusal.slice(0, refusal.indexOf(' '))

/** Begins to follow a save; without stamps, the user changed nothing. */
export function begin(stories: Stories, stamps: readonly string[], gate: Gate): SaveNotice {
  const phase: SavePhase = stamps.length === 0 ? 'done' : gate === 'open' ? 'sending' : gate
  const story =
    phase === 'sending' || phase === 'login' ? { stamps, seen: false, isAgain: false, phase } : null
  return { stories: { ...stories, story }, phase, refused: [] }
}

export const dismissRefusals = (stories: Stories): Stories => ({
  ...stories,
  shown: new Set(),
  over: new Set([...stories.over, ...(stories.shown ?? [])]),
})

/** Returns the new state after a change of the queue or the signal. */
export function follow(stories: Stories, outbox: Outbox, gate: Gate): SaveNotice {
  const items = [...outbox.queue, ...outbox.photos.flatMap((group) => group.items)]
  const failed = items.filter(({ state }) => state === 'failed')
  const refusals = new Set(failed.map(refusalOf))
  // The first state of the queue has only refusals of earlier app runs.
  if (stories.shown === null) return follow({ ...stories, shown: new Set(), over: refusals }, outbox, gate)
  const shown = new Set([...refusals].filter((refusal) => !stories.over.has(refusal)))
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

function stampsResent(shown: ReadonlySet<string>, items: readonly QueueItem[]): string[] {
  const ids = [...shown].map(idOf)
  return items
    .filter(({ state, change }) => state !== 'failed' && state !== 'expired' && ids.includes(change.id))
    .filter(({ progress }) => progress?.state !== 'discarded' && progress?.wish !== 'discard')
    .map(({ change }) => change.stamp)
}

function nextOf(story: Story, all: readonly QueueItem[], { progress, wait }: Outbox, gate: Gate) {
  const items = all.filter(({ change }) => story.stamps.includes(change.stamp))
  if (items.length === 0) {
    const isSent = [...progress.values()].some(
      ({ state, stamp }) => state === 'accepted' && story.stamps.includes(stamp),
    )
    if (isSent) return { story: null, phase: 'done' as const }
    // A save that is neither in the queue nor accepted was discarded, or replaced by a later save.
    return story.seen ? { story: null, phase: null } : { story, phase: story.phase }
  }
  if (items.some(({ state }) => state === 'failed' || state === 'expired'))
    return { story: null, phase: null }
  const phase = phaseOf(story, items, gate, wait !== null)
  return { story: phase === 'offline' ? null : { ...story, seen: true, phase }, phase }
}

/** Returns the phase of a save with unsent items. `waits` (ST3) is from before a 再送, so it does not count after one. */
function phaseOf(story: Story, items: readonly QueueItem[], gate: Gate, waits: boolean): SavePhase {
  if (items.some(({ blockedBy }) => blockedBy !== undefined)) return 'held'
  if (gate !== 'open') return gate
  if (waits && !story.isAgain && items.every(({ state }) => state === 'waiting')) return 'waiting'
  return story.isAgain ? 'again' : 'sending'
}
