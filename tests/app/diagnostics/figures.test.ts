import { IDBFactory } from 'fake-indexeddb'
import { createStore, set } from 'idb-keyval'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { figureRing, openFigures } from '#app/diagnostics/figures.ts'
import { createKeptRing } from '#app/diagnostics/kept-ring.ts'
import { figureOf } from '#app/diagnostics/watch-figures.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const DAY_MS = 24 * 3_600_000

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

interface Note {
  id: string
  n: number
}

/** Batches are written when the test says so. */
function tabWith({ most = 100 } = {}) {
  const due: (() => void)[] = []
  const ring = createKeptRing<Note>({
    name: 'genba-test',
    most,
    isEntry: (value): value is Note => typeof value === 'object' && value !== null && 'n' in value,
    isSame: (one, other) => one.id === other.id,
    later: (write) => due.push(write),
  })
  return { ring, due }
}
const notes = async ({ ring }: ReturnType<typeof tabWith>, list = 'a') =>
  ((await ring.read()).get(list) ?? []).map(({ n }) => n)

describe('[figures] what is kept', () => {
  test('a batch is written once, however much was added, and another page reads it', async () => {
    const [tab, other] = [tabWith(), tabWith()]
    for (let n = 1; n <= 5; n += 1) tab.ring.add('a', { id: `${n}`, n })
    expect(tab.due).toHaveLength(1)
    expect(await notes(other)).toEqual([])
    tab.due[0]?.()
    await vi.waitFor(async () => expect(await notes(other)).toEqual([1, 2, 3, 4, 5]))
    tab.ring.add('a', { id: '6', n: 6 })
    expect(tab.due).toHaveLength(2)
  })

  test('two tabs that write at once lose nothing of each other', async () => {
    const [tab, other] = [tabWith(), tabWith()]
    tab.ring.add('a', { id: 'x', n: 1 })
    other.ring.add('a', { id: 'y', n: 2 })
    await Promise.all([tab.ring.flush(), other.ring.flush()])
    expect(new Set(await notes(tab))).toEqual(new Set([1, 2]))
  })

  test('is bounded: the oldest of a list go, the other lists stay', async () => {
    const tab = tabWith({ most: 3 })
    tab.ring.add('b', { id: 'b', n: 9 })
    for (let n = 1; n <= 2; n += 1) tab.ring.add('a', { id: `${n}`, n })
    await tab.ring.flush()
    for (let n = 3; n <= 5; n += 1) tab.ring.add('a', { id: `${n}`, n })
    expect(await notes(tab)).toEqual([3, 4, 5])
    expect(await notes(tab, 'b')).toEqual([9])
  })

  test('what is told again takes the place of what it was, written or not', async () => {
    const tab = tabWith()
    tab.ring.add('a', { id: 'page', n: 1 })
    await tab.ring.flush()
    tab.ring.add('a', { id: 'other', n: 7 })
    tab.ring.add('a', { id: 'page', n: 2 })
    tab.ring.add('a', { id: 'page', n: 3 })
    expect(await notes(tab)).toEqual([7, 3])
  })

  test('lists that are over go, also where nothing of them is written yet', async () => {
    const tab = tabWith()
    tab.ring.add('old', { id: '1', n: 1 })
    await tab.ring.flush()
    tab.ring.add('old', { id: '2', n: 2 })
    tab.ring.add('new', { id: '3', n: 3 })
    await tab.ring.drop((list) => list === 'old')
    expect(await notes(tab, 'old')).toEqual([])
    expect(await notes(tab, 'new')).toEqual([3])
    await tab.ring.clear()
    expect((await tab.ring.read()).size).toBe(0)
  })

  test('what something else left in the store is dropped, and a store that cannot be opened keeps nothing', async () => {
    await set('a', [1, null, { id: 'x', n: 4 }], createStore('genba-test', 'values'))
    await set('b', 'no list', createStore('genba-test', 'values'))
    expect(await notes(tabWith())).toEqual([4])
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new Error('no storage')
      },
    })
    const broken = tabWith()
    broken.ring.add('a', { id: '1', n: 1 })
    await expect(broken.ring.flush()).resolves.toBeUndefined()
    expect(await notes(broken)).toEqual([])
  })
})

function openAt(now: () => number) {
  const due: (() => void)[] = []
  return openFigures({ now, route: () => '/request/$id', ring: figureRing((write) => due.push(write)) })
}

describe('[figures] field figures', () => {
  test('a figure has name, value, unit, time and the pattern of its route; it is told as it is measured', async () => {
    const figures = openAt(() => NOW)
    const told: unknown[] = []
    const stop = figures.subscribe((figure) => told.push(figure.name))
    figures.add('app:save', 41.7)
    figures.add('CLS', 0.123_456, 'page')
    stop()
    figures.add('INP', 96)
    expect(told).toEqual(['app:save', 'CLS'])
    const all = await figures.read()
    expect(all.find(({ name }) => name === 'app:save')).toEqual({
      id: expect.any(String),
      name: 'app:save',
      value: 42,
      unit: 'ms',
      at: '2026-11-20T03:00:00.000Z',
      route: '/request/$id',
    })
    expect(all.find(({ name }) => name === 'CLS')).toMatchObject({ value: 0.1235, unit: 'score', id: 'page' })
  })

  test('a week is kept, 200 of each name, and what is no measurement is none', async () => {
    let now = NOW - 8 * DAY_MS
    const figures = openAt(() => now)
    figures.add('app:search', 1)
    now = NOW
    figures.add('app:search', Number.NaN)
    figures.add('app:search', -1)
    figures.add('sync:replay', 3 * 3_600_000)
    for (let n = 1; n <= 205; n += 1) figures.add('app:save', n)
    figures.add('INP', 8)
    const all = await figures.read()
    expect(all.filter(({ name }) => name === 'app:save')).toHaveLength(200)
    expect(all.filter(({ name }) => name !== 'app:save').map(({ name }) => name)).toEqual(['INP'])
    await figures.clear()
    expect(await figures.read()).toEqual([])
  })

  test.each([
    ['app:operable', 0, 900, Infinity, 'app:operable'],
    ['app:operable', 0, 900, 1_000, 'app:operable'],
    // opened behind another tab
    ['app:operable', 0, 900, 100, null],
    ['app:first-rows', 0, 900, 0, null],
    ['app:save', 5_000, 40, 100, 'app:save'],
    // opened by its address: no touch led there
    ['app:open-request', 0, 900, Infinity, null],
    ['app:open-request', 3_000, 90, Infinity, 'app:open-request'],
    ['sync:initial', 0, 3_000, Infinity, 'sync:initial'],
    ['somebody else’s', 10, 20, Infinity, null],
    ['toString', 10, 20, Infinity, null],
  ])('%s from %d for %d ms, hidden at %d: %s', (name, startTime, duration, hidden, expected) =>
    expect(figureOf({ name, startTime, duration }, hidden)).toBe(expected),
  )
})
