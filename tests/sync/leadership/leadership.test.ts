/** Who leads, who holds a lock, and for how long, in virtual time; real tabs are those of `hung-leader`. */
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NEVER, of } from 'rxjs'
import { beginLease, LeaseOver, mayWrite, createLocks } from '#sync/leadership/lease.ts'
import { inLine } from '#sync/leadership/leadership.ts'
import { browserLocks } from '../../support/web-locks.ts'
import { pageLocks } from '../../support/page-locks.ts'

const SECOND = 1_000
const LIMIT = 60 * SECOND

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('[TB2] a hold', () => {
  test('allows what ends within its limit, and nothing that could end after it', async () => {
    const hold = beginLease(LIMIT)
    expect(hold.allows(LIMIT - 1)).toBe(true)
    expect(hold.allows(LIMIT)).toBe(false)
    await vi.advanceTimersByTimeAsync(50 * SECOND)
    expect([hold.allows(9 * SECOND), hold.allows(10 * SECOND)]).toEqual([true, false])
  })

  test('lets nothing be written when it is over, or nearly', async () => {
    const hold = beginLease(LIMIT)
    mayWrite(hold)
    await vi.advanceTimersByTimeAsync(LIMIT - SECOND)
    expect(() => mayWrite(hold)).toThrow(LeaseOver)
    expect(() => mayWrite(undefined)).not.toThrow()
  })
})

/** A tab in line for the lead, and what becomes of it. */
function tabIn(locks: ReturnType<typeof pageLocks>) {
  const seen: string[] = []
  const channel = { messages$: NEVER, say: () => undefined, close: () => undefined }
  const lead = () => {
    seen.push('leads')
    return { stop: async () => void seen.push('stops') }
  }
  const leadershipLost = () => seen.push('told')
  const tab = inLine({ locks, channel, visible$: of(false), leadershipLost }, 'lead', lead)
  return { seen, tab }
}

describe('[TB1] the lead', () => {
  test('is lost to who takes it: the tab stops, is told of it, and leads again when it is its turn', async () => {
    const locks = pageLocks(LIMIT)
    const { seen, tab } = tabIn(locks)
    await vi.advanceTimersByTimeAsync(1)
    let end = () => undefined as void
    const other = new Promise<void>((resolve) => (end = resolve))
    const taken = locks.lead('lead', () => other, { signal: new AbortController().signal, steal: true })
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['leads', 'stops', 'told'])
    end()
    await taken
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.slice(3)).toEqual(['leads'])
    await tab.stop()
  })

  test('goes to the next tab if its work fails', async () => {
    const locks = pageLocks(LIMIT)
    const { signal } = new AbortController()
    const failed = locks.lead('lead', () => Promise.reject(new Error('no room')), { signal })
    await expect(failed).rejects.toThrow('no room')
    const { seen, tab } = tabIn(locks)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['leads'])
    await tab.stop()
  })

  test('leaves no listener behind, however often it is lost', async () => {
    const listen = vi.spyOn(AbortSignal.prototype, 'addEventListener')
    const locks = pageLocks(LIMIT)
    const { seen, tab } = tabIn(locks)
    for (let turn = 0; turn < 12; turn += 1) {
      await locks.lead('lead', async () => undefined, { signal: new AbortController().signal, steal: true })
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(seen.filter((word) => word === 'told')).toHaveLength(12)
    const listeners = listen.mock.contexts.map((signal) => getEventListeners(signal as AbortSignal, 'abort'))
    expect(Math.max(...listeners.map(({ length }) => length))).toBeLessThanOrEqual(2)
    await tab.stop()
    expect(
      listen.mock.contexts.flatMap((signal) => getEventListeners(signal as AbortSignal, 'abort')),
    ).toEqual([])
    listen.mockRestore()
  })

  test('is given up by who stops, without being told that it was lost', async () => {
    const locks = pageLocks(LIMIT)
    const first = tabIn(locks)
    const second = tabIn(locks)
    await vi.advanceTimersByTimeAsync(1)
    await first.tab.stop()
    await vi.advanceTimersByTimeAsync(1)
    expect([first.seen, second.seen]).toEqual([['leads', 'stops'], ['leads']])
    await second.tab.stop()
  })
})

/** A browser's locks, each of which somebody else has. @param holder who has it now */
function heldLocks(holder: () => string): LockManager {
  const request = (_: string, { signal, steal }: LockOptions, run: () => Promise<unknown>) =>
    steal
      ? run()
      : new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
  const query = async () => ({ held: [{ name: 'send', clientId: holder() }] })
  return { request, query } as unknown as LockManager
}

describe('[TB1] a lock of the browser', () => {
  const takenFrom = async (holder: () => string) => {
    const run = vi.fn<() => Promise<void>>(async () => undefined)
    void createLocks(heldLocks(holder), LIMIT).request('send', run)
    await vi.advanceTimersByTimeAsync(LIMIT - SECOND)
    const before = run.mock.calls.length
    await vi.advanceTimersByTimeAsync(LIMIT)
    return [before, run.mock.calls.length]
  }

  test('is taken from a tab that has had it for its whole limit, and not sooner', async () => {
    expect(await takenFrom(() => 'frozen')).toEqual([0, 1])
  })

  test('is not taken where one tab after another has it', async () => {
    let turn = 0
    expect(await takenFrom(() => `tab ${(turn += 1)}`)).toEqual([0, 0])
  })

  test('goes to a tab that waits before the same tab has it again, also after work that failed', async () => {
    const tab = browserLocks()
    const [first, second] = [createLocks(tab('first')), createLocks(tab('second'))]
    const order: string[] = []
    const own = (name: string) => async () => void order.push(name)
    const fails = first.request('send', async () => {
      await Promise.resolve()
      throw new Error('no room')
    })
    const all = [
      first.request('send', own('first')),
      second.request('send', own('second')),
      first.request('send', own('first again')),
    ]
    await expect(fails).rejects.toThrow('no room')
    await Promise.all(all)
    expect(order).toEqual(['second', 'first', 'first again'])
  })
})
