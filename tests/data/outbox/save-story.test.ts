/** The story of a save as a value: whatever happens to what was saved, the banners say no more than the CRM answered. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SEND_STATE, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outbox } from '#data/outbox/outbox.ts'
import {
  begin,
  dismissRefusals,
  follow,
  NO_STORIES,
  type Gate,
  type SavePhase,
} from '#data/outbox/save-story.ts'

type State = 'none' | 'waiting' | 'sending' | 'unknown' | 'refused' | 'expired' | 'accepted' | 'gone'
const STATES: State[] = ['none', 'waiting', 'sending', 'unknown', 'refused', 'expired', 'accepted', 'gone']
const CHANGES = ['a', 'b', 'c'] as const

/** The queue as these states make it; `times` numbers the refusals. */
function outboxOf(states: readonly State[], time: number): Outbox {
  const entries = CHANGES.flatMap((id, index) => {
    const state = states[index] ?? 'none'
    if (state === 'none' || state === 'gone') return []
    return [
      { id, stamp: id, state, settledAt: String(time), reasons: [], status: 400 } as unknown as SendFacts,
    ]
  })
  const progress = new Map(entries.map((entry) => [entry.id, entry]))
  const queue = CHANGES.flatMap((id, index) => {
    const state = states[index] ?? 'none'
    if (state === 'accepted' || state === 'gone') return []
    const entry = progress.get(id)
    return [
      {
        record: { resource: 'emergencyReports', key: id },
        change: { id, stamp: id, kind: 'create' },
        progress: entry,
        state: entry ? SEND_STATE[entry.state] : 'waiting',
        blockedBy: undefined,
      } as unknown as QueueItem,
    ]
  })
  return {
    queue,
    photos: [],
    progress,
    unsent: queue.length,
    failed: false,
    wait: null,
    sent: [],
    drafts: [],
  }
}

const step = fc.record({
  states: fc.tuple(...CHANGES.map(() => fc.constantFrom(...STATES))),
  gate: fc.constantFrom<Gate>('open', 'offline', 'login'),
  act: fc.constantFrom('none', 'none', 'save', 'dismiss'),
})

test('[ST1] success is never said before the CRM has all of the save; a refusal only while it stands', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let stories = NO_STORIES
      let said: SavePhase | null = null
      let dismissed: string[] = []
      steps.forEach(({ states, gate, act }, time) => {
        const outbox = outboxOf(states, time)
        if (act === 'dismiss') {
          dismissed = [...(stories.shown ?? [])]
          stories = dismissRefusals(stories)
        }
        if (act === 'save') {
          const told = begin(stories, CHANGES, gate)
          stories = told.stories
          said = told.phase ?? said
          expect(told.phase).not.toBe('done')
        }
        const followed = stories.story?.stamps ?? []
        const told = follow(stories, outbox, gate)
        stories = told.stories
        if (told.phase !== undefined) said = told.phase
        if (told.phase === 'done') {
          expect(outbox.queue.filter(({ change }) => followed.includes(change.stamp))).toEqual([])
          const entries = followed.flatMap((stamp) => outbox.progress.get(stamp) ?? [])
          expect(entries.some(({ state }) => state === 'accepted')).toBe(true)
        }
        if (told.phase === 'sending' || told.phase === 'again') expect(gate).toBe('open')
        for (const item of told.refused) expect(item.state).toBe('failed')
        for (const refusal of dismissed) expect(stories.shown?.has(refusal)).toBe(false)
        // what is refused is told, unless it was before the app began or was dismissed
        const silent = outbox.queue.filter(
          ({ state, change }) =>
            state === 'failed' && !told.refused.some((item) => item.change.id === change.id),
        )
        for (const { change, progress } of silent)
          expect(stories.over.has(`${change.id} ${progress?.settledAt}`)).toBe(true)
        // a story that goes on has something to wait for, or was not seen yet
        if (stories.story?.seen) expect(outbox.queue.length).toBeGreaterThan(0)
      })
      return said !== undefined
    }),
    { numRuns: 500 },
  )
})
