import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { figureOf, openFigures } from '#app/diagnostics/figures.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const DAY_MS = 24 * 3_600_000

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

const openAt = (now: () => number) => openFigures(now, () => undefined)

describe('[figures] field figures', () => {
  test('a figure has name, value, unit, time and the pattern of its route', async () => {
    const figures = openAt(() => NOW)
    figures.add('app:save', 41.7, '/request/$id')
    figures.add('CLS', 0.123_456, '/outbox', 'page')
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

  test('a week is read, 200 of each name, and what is no measurement is none', async () => {
    let now = NOW - 8 * DAY_MS
    const figures = openAt(() => now)
    figures.add('app:search', 1, '/')
    now = NOW
    for (const value of [Number.NaN, -1]) figures.add('app:search', value, '/')
    figures.add('sync:replay', 3 * 3_600_000, '/')
    for (let n = 1; n <= 205; n += 1) figures.add('app:save', n, '/')
    figures.add('INP', 8, '/')
    const all = await figures.read()
    expect(all.filter(({ name }) => name === 'app:save')).toHaveLength(200)
    expect(all.filter(({ name }) => name !== 'app:save').map(({ name }) => name)).toEqual(['INP'])
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
