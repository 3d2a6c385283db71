/** Whose fault an unclear answer is, and which change is sent next. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { bySuspicion, sendQueue } from '#sync/changes/sender.ts'
import {
  createLateChecks,
  afterAccepted,
  afterOther,
  afterReason,
  afterRefusal,
  afterUnclear,
  hasReason,
  isOwnFault,
  isPaused,
  NO_FAULTS,
  type Faults,
} from '#sync/changes/failure-attribution.ts'
import type { NotAccepted, Sending, Step } from '#sync/changes/send-adapter.ts'
import { recordEnd } from '#sync/changes/attempt.ts'

const item = (id: string, key = id) =>
  ({ record: { resource: 'notes', key }, change: { id } }) as unknown as QueueItem
const idsOf = (items: readonly QueueItem[]) => items.map(({ change }) => change.id)

const newFaults = (): Faults => ({ now: NO_FAULTS })
/** @returns true if the unclear answer is their own fault */
function unclear(faults: Faults, ids: readonly string[]): boolean {
  const isOwn = ids.some((id) => isOwnFault(faults.now, id))
  faults.now = afterUnclear(faults.now, ids)
  return isOwn
}

describe('[OC8] a 5xx is the own fault of a change', () => {
  test('not while nothing was accepted since the one before', () => {
    const faults = newFaults()
    expect([1, 2, 3, 4, 5].map(() => unclear(faults, ['a']))).toEqual([false, false, false, false, false])
  })

  test('where another write was accepted in between', () => {
    const faults = newFaults()
    unclear(faults, ['a'])
    faults.now = afterAccepted(faults.now, ['b'])
    expect(unclear(faults, ['a'])).toBe(true)
    expect(unclear(faults, ['a'])).toBe(false)
  })

  test('never of one that was accepted itself', () => {
    const faults = newFaults()
    unclear(faults, ['a'])
    faults.now = afterAccepted(faults.now, ['a'])
    expect(isOwnFault(faults.now, 'a')).toBe(false)
  })
})

describe('[OC7c] refused without a reason, one after the other', () => {
  const after = (...ids: string[]) => ids.reduce((state, id) => afterRefusal(state, [id]), NO_FAULTS)
  test('three different ones pause the queue, the same one three times does not', () => {
    expect(isPaused(after('a', 'b'))).toBe(false)
    expect(isPaused(after('a', 'b', 'c'))).toBe(true)
    expect(isPaused(after('a', 'a', 'a', 'a'))).toBe(false)
  })
  test('several records refused in one call are one', () => {
    expect(isPaused(afterRefusal(NO_FAULTS, ['a', 'b', 'c', 'd']))).toBe(false)
  })
  test('a reason, or something accepted, ends it', () => {
    expect(isPaused(afterRefusal(afterReason(after('a', 'b')), ['c']))).toBe(false)
    expect(isPaused(afterAccepted(after('a', 'b', 'c'), ['d']))).toBe(false)
  })
  test.each([
    [400, ['ec00011'], true],
    [409, ['二重登録'], true],
    [200, ['ec00017'], true],
    [413, [], true],
    [400, [], false],
    [404, [], false],
    [403, ['Forbidden'], false],
    [405, ['Method Not Allowed'], false],
  ])('%d %j: %s', (status, reasons, wanted) => expect(hasReason({ status, reasons })).toBe(wanted))
})

/**
 * The calls of one drain, where so many of the changes are answered 5xx for ever; after a 5xx the circuit lets no other
 * call leave (OC10), whoever asks.
 */
async function drain(queue: string[], poison: ReadonlySet<string>, faults = newFaults()) {
  const calls: string[] = []
  let left = 0
  let isOpen = false
  const step = await sendQueue({
    queue: async () => queue.map((id) => item(id)),
    async send({ change: { id } }): Promise<Step> {
      if (isOpen) return { kind: 'blocked', outcome: { kind: 'unreachable' } }
      calls.push(id)
      if (!poison.has(id)) {
        faults.now = afterAccepted(faults.now, [id])
        queue.splice(queue.indexOf(id), 1)
        return { kind: 'done' }
      }
      isOpen = true
      unclear(faults, [id])
      return { kind: 'blocked', outcome: { kind: 'unknown', status: 500 } }
    },
    faults,
    retryLater: () => void (left += 1),
  })
  return { calls, left, step: step.kind }
}

describe('[OR3][OC10] the order in which a queue is gone through', () => {
  test('a 5xx ends it, as it opens the circuit; after the second one the others have their turn', async () => {
    const faults = newFaults()
    const queue = ['p', 'a', 'b']
    const first = { calls: ['p'], left: 0, step: 'blocked' }
    expect(await drain(queue, new Set('p'), faults)).toEqual(first)
    expect(await drain(queue, new Set('p'), faults)).toEqual(first)
    const third = await drain(queue, new Set('p'), faults)
    expect(third).toEqual({ calls: ['a', 'b', 'p'], left: 1, step: 'done' })
    expect(queue).toEqual(['p'])
  })

  test('while nobody fares better, each time another one asks, and only one', async () => {
    const faults = newFaults()
    const all = new Set(['p', 'a', 'b'])
    const queue = [...all]
    const calls = []
    for (let times = 0; times < 8; times += 1) calls.push(...(await drain(queue, all, faults)).calls)
    expect(calls).toEqual(['p', 'p', 'a', 'b', 'p', 'a', 'b', 'p'])
  })

  test('a change is back in its place once a call of it had another end', () => {
    const faults = newFaults()
    const order = () =>
      idsOf(
        bySuspicion(
          ['a', 'b'].map((id) => item(id)),
          faults.now,
        ),
      )
    unclear(faults, ['a'])
    expect(order()).toEqual(['a', 'b'])
    unclear(faults, ['a'])
    expect(order()).toEqual(['b', 'a'])
    faults.now = afterOther(faults.now, ['a'])
    expect(order()).toEqual(['a', 'b'])
    faults.now = afterAccepted(faults.now, ['b'])
    expect(isOwnFault(faults.now, 'a')).toBe(true)
  })

  const NO_SUCH: NotAccepted = { kind: 'missing', status: 404, reasons: ['該当するデータがありません。'] }
  test.each<[NotAccepted, string[]]>([
    [NO_SUCH, ['a', 'b']],
    [{ kind: 'refused', status: 400, reasons: ['ec00011'] }, ['a', 'b']],
    [{ kind: 'throttled', status: 429, retryAfterMs: 0 }, ['a', 'b']],
    // a refusal without a reason may come from a gateway, so another change is tried each time (OC7)
    [{ kind: 'refused', status: 403, reasons: [] }, ['b', 'a']],
    [{ kind: 'unknown', status: 500 }, ['b', 'a']],
    [{ kind: 'unreachable' }, ['b', 'a']],
  ])('[OR1a] of two 5xx the last word is %j: then the order is %j', (outcome, order) => {
    const faults = newFaults()
    unclear(faults, ['a'])
    unclear(faults, ['a'])
    recordEnd({ faults, readBacks: createLateChecks(() => 0, 0) } as unknown as Sending, [item('a')], outcome)
    const queue = ['a', 'b'].map((id) => item(id))
    expect(idsOf(bySuspicion(queue, faults.now))).toEqual(order)
  })

  test('however many are at fault, all others go, and nothing is called for ever', async () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        ids,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        async (all, isPoison) => {
          const poison = new Set(all.filter((_, index) => isPoison[index]))
          const queue = [...all]
          const faults = newFaults()
          for (let times = 0; times < 2 * all.length + 4; times += 1) {
            const { calls } = await drain(queue, poison, faults)
            expect(new Set(calls).size).toBe(calls.length)
          }
          expect(queue).toEqual(all.filter((id) => poison.has(id)))
        },
      ),
    )
  })

  test('the first stays the first; then those of whom nothing is suspected', () => {
    const faults = newFaults()
    for (const id of ['c', 'a', 'b']) unclear(faults, [id])
    expect(
      idsOf(
        bySuspicion(
          ['a', 'b', 'c', 'd'].map((id) => item(id)),
          faults.now,
        ),
      ),
    ).toEqual(['a', 'd', 'c', 'b'])
    expect(bySuspicion([], faults.now)).toEqual([])
  })

  test('[OR2] an exit never has its turn before its entry', () => {
    const faults = newFaults()
    for (const id of ['a', 'entry']) unclear(faults, [id])
    const queue = [item('a'), item('entry', 'visit'), item('exit', 'visit'), item('b')]
    expect(idsOf(bySuspicion(queue, faults.now))).toEqual(['a', 'b', 'entry', 'exit'])
  })
})

describe('[OC9] two looks, one time limit apart', () => {
  const GAP = 20_000
  function open() {
    let now = 5
    const readBacks = createLateChecks(() => now, GAP)
    return { readBacks, later: (ms: number) => void (now += ms) }
  }

  test('after a call that had no answer', () => {
    const { readBacks, later } = open()
    readBacks.callLeft('a')
    expect(readBacks.remainingMs('a')).toBe(0)
    expect(readBacks.foundAbsent('a')).toBe(GAP)
    later(GAP - 1)
    expect(readBacks.remainingMs('a')).toBe(1)
    later(1)
    expect(readBacks.remainingMs('a')).toBe(0)
    expect(readBacks.foundAbsent('a')).toBe(0)
  })

  test('one look is enough where the CRM itself has answered', () => {
    const { readBacks } = open()
    readBacks.callLeft('a')
    readBacks.callEnded('a')
    expect(readBacks.foundAbsent('a')).toBe(0)
  })

  test('a second call is looked for like the first', () => {
    const { readBacks, later } = open()
    readBacks.callLeft('a')
    readBacks.foundAbsent('a')
    later(GAP)
    readBacks.callLeft('a')
    expect(readBacks.foundAbsent('a')).toBe(GAP)
  })

  test('of one that left before this start nobody knows when: a time limit more', () => {
    expect(open().readBacks.foundAbsent('a')).toBe(2 * GAP)
  })
})
