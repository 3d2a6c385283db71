/** What the two banners of saves say, as a value: when one is shown anew, and when it stays as it is. */
import { describe, expect, test } from 'vitest'
import { SEND_STATE, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Outbox } from '#data/outbox/outbox.ts'
import {
  NO_BANNERS,
  undoableItems,
  afterChange,
  afterUndo,
  afterSave,
  type SaveBanners,
} from '#app/shell/save-banner-state.ts'

const made = { stamps: ['a'], form: null, path: '/' }
const OPEN = { save: true, refused: true }

/** A queue of one change, as the ledger knows it. */
function queueWith(state: 'refused' | 'sending' | null): Outbox {
  const entry = {
    id: 'a',
    stamp: 'a',
    state,
    settledAt: '1',
    reasons: [],
    status: 400,
  } as unknown as SendFacts
  const progress = new Map(state ? [['a', entry] as const] : [])
  const change = { id: 'a', stamp: 'a', kind: 'create' }
  const item = {
    record: { resource: 'emergencyReports', key: 'a', changes: [change] },
    change,
    progress: progress.get('a'),
    state: state ? SEND_STATE[state] : 'waiting',
    blockedBy: undefined,
  } as unknown as QueueItem
  return { queue: [item], photos: [], progress, unsent: 1, failed: false, wait: null, sent: [], drafts: [] }
}
const withQueue = (told: SaveBanners, state: Parameters<typeof queueWith>[0]) => ({
  ...told,
  outbox: queueWith(state),
})
/** The queue was read, and nothing is in it. */
const begun = afterChange({ ...NO_BANNERS, outbox: { ...queueWith(null), queue: [] } }, 'open', OPEN)

describe('[ST1][spec 4] the banner of the last save', () => {
  test('comes anew with each save, though it says the same', () => {
    const first = afterSave(begun, made, 'offline')
    const second = afterSave(first, { ...made, stamps: ['b'] }, 'offline')
    expect([first.save, second.save].map((save) => save?.phase)).toEqual(['offline', 'offline'])
    expect(second.save).not.toBe(first.save)
  })

  test('offers 元に戻す once the queue has it and while it is only here; a banner that was closed does not come for it', () => {
    const saved = withQueue(afterSave(begun, made, 'offline'), null)
    expect(afterChange(saved, 'offline', OPEN).save).toEqual({
      phase: 'offline',
      canUndo: true,
      acceptedTexts: [],
    })
    expect(afterChange(saved, 'offline', { ...OPEN, save: false }).save).toBe(saved.save)
    const going = afterChange(withQueue(afterSave(begun, made, 'open'), 'sending'), 'open', OPEN)
    expect(going.save).toEqual({ phase: 'sending', canUndo: false, acceptedTexts: [] })
  })

  test('says nothing more of a save that was taken back, also when it is the second press', () => {
    const back = afterUndo(afterChange(withQueue(afterSave(begun, made, 'login'), null), 'login', OPEN))
    expect([back.save, undoableItems(back), afterChange(back, 'login', OPEN).save]).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('[OC2][spec 8] the banner of refusals', () => {
  const refused = afterChange(withQueue(afterSave(begun, made, 'open'), 'refused'), 'open', OPEN)

  test('tells one once, and takes the place of the banner of its save', () => {
    expect([refused.save, refused.refused.items.length]).toEqual([null, 1])
    expect(afterChange(refused, 'open', OPEN).refused).toBe(refused.refused)
  })

  test('that was closed is not told again, until it is refused again', () => {
    const closed = afterChange(refused, 'open', { ...OPEN, refused: false })
    expect(closed.refused.items).toEqual([])
    expect(afterChange(closed, 'open', OPEN).refused).toBe(closed.refused)
  })
})

test('nothing is said before the queue was first read', () => {
  expect(afterChange(NO_BANNERS, 'open', OPEN)).toBe(NO_BANNERS)
})
