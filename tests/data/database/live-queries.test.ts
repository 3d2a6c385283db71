/** Live queries under virtual time: who subscribes, who unsubscribes, and when, in any order. */
import fc from 'fast-check'
import { Observable } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveQueries, type LiveStore } from '#data/database/live-queries.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const KEYS = ['list', 'outbox'] as const
type Key = (typeof KEYS)[number]

/** A device whose rows are read by any number of queries. */
function device() {
  const readers: Record<Key, Set<(value: number) => void>> = { list: new Set(), outbox: new Set() }
  let value = 0
  const query = (key: Key) => () =>
    new Observable<number>((subscriber) => {
      const next = (read: number) => subscriber.next(read)
      readers[key].add(next)
      next(value)
      return () => void readers[key].delete(next)
    })
  return {
    query,
    readers: (key: Key) => readers[key].size,
    value: () => value,
    write() {
      value++
      for (const key of KEYS) for (const next of [...readers[key]]) next(value)
    },
  }
}

type Step =
  | { do: 'subscribe'; key: Key; anew: boolean }
  | { do: 'unsubscribe'; which: number; times: number }
  | { do: 'wait'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('subscribe' as const), key: fc.constantFrom(...KEYS), anew: fc.boolean() }),
  fc.record({
    do: fc.constant('unsubscribe' as const),
    which: fc.nat(9),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 14_000, 29_999, 30_000, 61_000) }),
)

interface Subscription {
  key: Key
  store: LiveStore<number>
  seen: number | undefined
  isOpen: boolean
  stop: () => void
}

test('[decisions/speed] no subscription ends while somebody subscribes, whatever the order of subscribing, unsubscribing and time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const rows = device()
      const live = createLiveQueries('device')
      const all: Subscription[] = []
      // the store that a component holds from an earlier render
      const rendered: Partial<Record<Key, LiveStore<number>>> = {}
      // one listener for all: a component may subscribe the same function twice
      let calls = 0
      const listener = () => void calls++
      const isOpen = (key: Key) => all.some((each) => each.isOpen && each.key === key)
      for (const now of steps) {
        if (now.do === 'subscribe') {
          const { key } = now
          const fresh = live.store(key, rows.query(key))
          const store = now.anew ? fresh : (rendered[key] ?? fresh)
          rendered[key] = store
          all.push({ key, store, seen: undefined, isOpen: true, stop: store.subscribe(listener) })
        } else if (now.do === 'unsubscribe') {
          const one = all[now.which % Math.max(all.length, 1)]
          if (!one) continue
          one.isOpen = false
          for (let time = 0; time < now.times; time++) one.stop()
        } else vi.advanceTimersByTime(now.ms)
        const open = all.filter((each) => each.isOpen)
        calls = 0
        rows.write()
        vi.advanceTimersByTime(0)
        for (const { store } of open) expect(store.get()).toBe(rows.value())
        expect(calls).toBe(open.length)
        for (const key of KEYS)
          if (isOpen(key)) {
            const current = live.store(key, rows.query(key))
            expect(current.get(), 'a component that is drawn again finds the rows').toBe(rows.value())
            expect(current.isReading()).toBe(false)
          }
      }
      for (const each of all) each.stop()
      vi.advanceTimersByTime(30_000)
      for (const key of KEYS) expect(rows.readers(key)).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('[decisions/speed] a query begins when a screen is rendered, and ends if the screen never subscribes', () => {
  const rows = device()
  const store = createLiveQueries('device').store('list', rows.query('list'))
  store.get()
  store.get()
  expect([rows.readers('list'), store.get()]).toEqual([1, 0])
  vi.advanceTimersByTime(29_999)
  const stop = store.subscribe(() => undefined)
  vi.advanceTimersByTime(60_000)
  expect(rows.readers('list')).toBe(1)
  stop()
  vi.advanceTimersByTime(30_000)
  expect(rows.readers('list')).toBe(0)
})

test('[trap 26] a query whose code comes after the database has closed does not begin', async () => {
  const live = createLiveQueries('device')
  const query = vi.fn<() => Observable<number>>()
  let loaded: (found: typeof query) => void = () => undefined
  const code = new Promise<typeof query>((resolve) => (loaded = resolve))
  live.store('lazy', { load: () => code }).subscribe(() => undefined)
  live.stop()
  live.store('late', query).subscribe(() => undefined)
  loaded(query)
  await vi.advanceTimersByTimeAsync(0)
  expect(query).not.toHaveBeenCalled()
})
