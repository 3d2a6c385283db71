import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  blankFacts,
  effectiveChanges,
  dependsOnCreate,
  isActionable,
  isInDoubt,
  isSendable,
  queueOf,
  type PendingRecord,
  type SendState,
} from '#schemas/changes/change-queue.ts'
import { sending, type StoredState, type SendFacts } from '#schemas/change.ts'

const change = (id: string, kind: string, stamp: string) => ({
  id,
  kind,
  stamp,
  savedAt: '2026-11-20T01:00:00.000Z',
  userId: 'u-1',
  offline: false,
  fields: {},
})
type Change = ReturnType<typeof change>
const record = (key: string, changes: Change[]): PendingRecord => ({
  resource: 'quickReports',
  key,
  requestId: `r-${key}`,
  workingDate: '2026-11-20',
  serverId: '',
  changes,
  unsent: 'yes',
})
/** The stored send states of some changes, by change id. */
const ledgerOf = (states: Record<string, StoredState>) =>
  new Map<string, SendFacts>(
    Object.entries(states).map(([id, state]) => [
      id,
      { ...blankFacts({ record: record('k', []), change: change(id, 'entry', '1') }), state },
    ]),
  )
const idsOf = (items: { change: { id: string } }[]) => items.map((item) => item.change.id)

describe('[OR1] of the changes of one record count', () => {
  test.each<[string, Change[], string[]]>([
    ['none', [], []],
    ['an entry', [change('e', 'entry', '1')], ['e']],
    ['an entry, then its exit', [change('x', 'exit', '2'), change('e', 'entry', '1')], ['e', 'x']],
    ['the last of several contents', [change('x', 'exit', '1'), change('y', 'edit', '2')], ['y']],
    ['the last by its stamp, not by its place', [change('y', 'edit', '2'), change('x', 'exit', '1')], ['y']],
    ['the last of two entries', [change('e', 'entry', '1'), change('f', 'entry', '3')], ['f']],
    [
      'the entry before the exit also where it was saved anew',
      [change('e', 'entry', '1'), change('x', 'exit', '2'), change('f', 'entry', '3')],
      ['f', 'x'],
    ],
    ['a create and its last edit', [change('c', 'create', '1'), change('d', 'edit', '2')], ['c', 'd']],
    [
      'a create that was saved anew, without the edits before it',
      [change('c', 'create', '1'), change('d', 'edit', '2'), change('f', 'create', '3')],
      ['f'],
    ],
    [
      'a create that was saved anew, with the edit after it',
      [
        change('c', 'create', '1'),
        change('d', 'edit', '2'),
        change('f', 'create', '3'),
        change('g', 'edit', '4'),
      ],
      ['f', 'g'],
    ],
  ])('%s', (_, changes, wanted) => {
    const before = structuredClone(changes)
    expect(effectiveChanges(changes).map(({ id }) => id)).toEqual(wanted)
    expect(changes).toEqual(before)
  })
})

describe('[ST1] what a person reads', () => {
  test.each<[StoredState, SendState]>([
    ['waiting', 'waiting'],
    ['sending', 'sending'],
    ['unknown', 'waiting'],
    ['refused', 'failed'],
    ['expired', 'expired'],
  ])('%s is shown as %s', (state, shown) => {
    const queue = queueOf([record('a', [change('e', 'entry', '1')])], ledgerOf({ e: state }))
    expect(queue).toMatchObject([{ state: shown, progress: { state }, blockedBy: undefined }])
  })

  test('what nothing is known of waits', () => {
    const queue = queueOf([record('a', [change('e', 'entry', '1')])], new Map())
    expect(queue).toMatchObject([{ state: 'waiting', progress: undefined }])
  })

  test.each<StoredState>(['accepted', 'discarded'])('%s has left the queue', (state) => {
    const changes = [change('e', 'entry', '1'), change('x', 'exit', '2')]
    expect(idsOf(queueOf([record('a', changes)], ledgerOf({ e: state })))).toEqual(['x'])
  })
})

describe('[OR3] what is held back, and by what', () => {
  const both = record('a', [change('e', 'entry', '1'), change('x', 'exit', '2')])
  const other = record('b', [change('f', 'entry', '3')])
  const sendable = (states: Record<string, StoredState>) =>
    idsOf(queueOf([both, other], ledgerOf(states)).filter(isSendable))

  test.each<[string, Record<string, StoredState>, string[]]>([
    ['all of it goes', {}, ['e', 'x', 'f']],
    ['a refused entry holds its exit, not the next record', { e: 'refused' }, ['f']],
    ['so does an expired one', { e: 'expired' }, ['f']],
    ['a refused exit holds nothing', { x: 'refused' }, ['e', 'f']],
    ['an entry in doubt goes first, by being read back', { e: 'unknown' }, ['e', 'x', 'f']],
    ['an accepted entry lets its exit go', { e: 'accepted' }, ['x', 'f']],
  ])('%s', (_, states, wanted) => expect(sendable(states)).toEqual(wanted))

  test('the exit says which change it waits for', () => {
    const [entry, exit] = queueOf([both], ledgerOf({ e: 'refused' }))
    expect([entry?.blockedBy, exit?.blockedBy]).toEqual([undefined, 'e'])
  })

  test('[OR2b] an entry saved anew after a refusal goes before the exit that waited', () => {
    const again = record('a', [...both.changes, change('g', 'entry', '4')] as Change[])
    const queue = queueOf([again, other], ledgerOf({ e: 'refused' }))
    expect(idsOf(queue)).toEqual(['f', 'g', 'x'])
    expect(queue.every(isSendable)).toBe(true)
  })

  test.each<[string, string, string | undefined, boolean]>([
    ['the CRM has none', '', '5', true],
    ['the CRM has a colleague’s, and it was made on one’s own', 'q1', '1', true],
    ['the CRM has a colleague’s, and nobody knows what it was made on', 'q1', undefined, true],
    ['the CRM has a colleague’s, and it was made on that', 'q1', '5', false],
  ])('%s: the exit waits for the refused entry or not', (_, serverId, stamp, isHeld) => {
    const exit = { ...change('x', 'exit', '6'), ...(stamp && { madeOn: { stamp, fields: {} } }) }
    const twice = { ...record('a', [change('e', 'entry', '1'), exit]), serverId }
    for (const state of ['refused', 'expired'] as const) {
      const queue = queueOf([twice], ledgerOf({ e: state }))
      expect(idsOf(queue.filter(isSendable))).toEqual(isHeld ? [] : ['x'])
    }
    expect(dependsOnCreate(twice, exit)).toBe(isHeld)
    expect(dependsOnCreate(twice, change('e', 'entry', '1'))).toBe(false)
  })

  test('a corrected exit replaces the refused one', () => {
    const corrected = record('a', [change('x', 'exit', '2'), change('y', 'exit', '5')])
    expect(idsOf(queueOf([corrected], ledgerOf({ x: 'refused' })).filter(isSendable))).toEqual(['y'])
  })
})

test('what is known of a change that was just saved is whole, and says that nothing happened yet', () => {
  const item = { record: record('a', []), change: change('e', 'entry', '1') }
  expect(sending.assert(blankFacts(item))).toEqual({
    id: 'e',
    resource: 'quickReports',
    recordKey: 'a',
    kind: 'entry',
    requestId: 'r-a',
    workingDate: '2026-11-20',
    stamp: '1',
    savedAt: '2026-11-20T01:00:00.000Z',
    waitingSince: '2026-11-20T01:00:00.000Z',
    state: 'waiting',
    serverId: '',
    reasons: [],
    status: 0,
    serverErrors: 0,
    payload: '',
    settledAt: '',
    wish: 'none',
  })
})

describe('of what is in the queue', () => {
  const itemIn = (state: StoredState | null, wish: SendFacts['wish'] = 'none') => {
    const [entry] = ledgerOf({ e: state ?? 'waiting' }).values()
    const progress = entry && state ? new Map([['e', { ...entry, wish }]]) : new Map<string, SendFacts>()
    const [item] = queueOf([record('a', [change('e', 'entry', '1')])], progress)
    if (!item) throw new Error('it is in the queue')
    return item
  }

  test.each<[StoredState | null, boolean]>([
    [null, false],
    ['waiting', false],
    ['sending', true],
    ['unknown', true],
    ['refused', false],
  ])('[OC3] %s is in doubt: %s', (state, is) => expect(isInDoubt(itemIn(state))).toBe(is))

  test('[SV2] what is to be discarded is still looked for, and not sent', () => {
    const item = itemIn('unknown', 'discard')
    expect([isActionable(item), isSendable(item)]).toEqual([true, false])
    expect(isSendable(itemIn('unknown', 'resend'))).toBe(true)
  })
})

describe('whatever was saved, in whatever order the device gives it', () => {
  const states = fc.constantFrom<StoredState | undefined>(
    ...([undefined, 'waiting', 'sending', 'unknown', 'accepted', 'refused', 'expired', 'discarded'] as const),
  )
  const saved = fc.record({
    record: fc.nat(4),
    kind: fc.constantFrom('entry', 'exit', 'edit'),
    state: states,
  })
  /** Changes with stamps in the order of saving, in a random order. */
  const scene = fc.array(saved, { maxLength: 14 }).chain((saves) => {
    const changes = saves.map((save, i) => ({
      ...save,
      ...change(`c${i}`, save.kind, String(i).padStart(3, '0')),
    }))
    return fc
      .shuffledSubarray(changes, { minLength: changes.length, maxLength: changes.length })
      .map((shuffled) => ({ changes, shuffled }))
  })
  type Saved = Change & { record: number; state: StoredState | undefined }
  const queueFrom = (changes: readonly Saved[], states_: readonly Saved[]) => {
    const keys = [...new Set(changes.map(({ record: key }) => key))]
    const records = keys.map((key) =>
      record(
        String(key),
        changes.filter((one) => one.record === key),
      ),
    )
    const known = states_.flatMap(({ id, state }) => (state ? [[id, state] as const] : []))
    return queueOf(records, ledgerOf(Object.fromEntries(known)))
  }

  test('[OR1] the queue is the same however it was read', () => {
    fc.assert(
      fc.property(scene, ({ changes, shuffled }) => {
        expect(idsOf(queueFrom(shuffled, changes))).toEqual(idsOf(queueFrom(changes, changes)))
      }),
    )
  })

  test('[OR1] records go by the time of saving, unless an entry was saved anew', () => {
    fc.assert(
      fc.property(scene, ({ changes, shuffled }) => {
        const queue = queueFrom(shuffled, changes)
        const turns = queue.map((item) => {
          const creating = queue.find((one) => one.record === item.record && one.change.kind === 'entry')
          return [item.change.stamp, creating?.change.stamp ?? ''].reduce((a, b) => (a > b ? a : b))
        })
        expect(turns).toEqual(turns.toSorted())
      }),
    )
  })

  test('[OR2] nothing goes before what creates its record', () => {
    fc.assert(
      fc.property(scene, ({ changes, shuffled }) => {
        const queue = queueFrom(shuffled, changes)
        const early = queue.filter(
          (item, at) =>
            item.change.kind === 'entry' &&
            queue.slice(0, at).some((before) => before.record === item.record),
        )
        expect(early).toEqual([])
      }),
    )
  })

  test('[SV2] nothing acknowledged or discarded is in it, and nothing is in it twice', () => {
    fc.assert(
      fc.property(scene, ({ changes, shuffled }) => {
        const queue = queueFrom(shuffled, changes)
        const gone = changes.filter(({ state }) => state === 'accepted' || state === 'discarded')
        for (const { id } of gone) expect(idsOf(queue)).not.toContain(id)
        expect(new Set(idsOf(queue)).size).toBe(queue.length)
      }),
    )
  })

  test('[OR3] a parked change never goes by itself, nor what it holds', () => {
    fc.assert(
      fc.property(scene, ({ changes, shuffled }) => {
        for (const item of queueFrom(shuffled, changes)) {
          const parked = item.state === 'failed' || item.state === 'expired'
          expect(isSendable(item)).toBe(!parked && item.blockedBy === undefined)
        }
      }),
    )
  })
})
