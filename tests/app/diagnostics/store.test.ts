import { IDBFactory } from 'fake-indexeddb'
import { set } from 'idb-keyval'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createRecorder } from '#app/diagnostics/recorder.ts'
import { diagnosticsDatabase, openDiagnostics } from '#app/diagnostics/store.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const HOUR_MS = 3_600_000

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

/** A tab of this device; a batch is written when the test says so. */
function tab() {
  const state = { now: NOW, user: 'u6' }
  const due: (() => void)[] = []
  const store = openDiagnostics({ now: () => state.now, user: () => state.user, scope: '' })
  const recorder = createRecorder(store, (write) => due.push(write))
  const call = (path: string) =>
    recorder.add('call', { method: 'GET', path, status: 200, tookMs: 12, sent: 0, received: 9 })
  const figure = (id: string, value: number) =>
    recorder.add('figure', { id, name: 'INP', value, unit: 'ms', route: '/' })
  const paths = async () => (await recorder.read('call')).map(({ path }) => path)
  const values = async () => (await recorder.read('figure')).map(({ value }) => value)
  return { state, due, store, recorder, call, figure, paths, values }
}

describe('[EX6] what the app did in the last day', () => {
  test('calls and moves of the ledger are there after a reload, oldest first, with their time', async () => {
    const before = tab()
    before.state.now = NOW - 3 * HOUR_MS
    before.call('first')
    before.state.now = NOW
    before.call('second')
    const move = { change: 'c1', resource: 'photos', kind: 'upload', from: null, to: 'sending' } as const
    const moved = { ...move, status: 0, serverErrors: 0, wish: 'none' } as const
    before.recorder.add('move', moved)
    await before.paths()
    expect(await tab().paths()).toEqual(['first', 'second'])
    expect(await tab().recorder.read('move')).toEqual([{ ...moved, at: new Date(NOW).toISOString() }])
  })

  test('a day later it is not read, and leaves the device; so does an entry of a clock that was ahead', async () => {
    const { state, store, call, paths } = tab()
    call('yesterday')
    state.now = NOW + 100 * HOUR_MS
    call('ahead')
    await paths()
    state.now = NOW + 25 * HOUR_MS
    call('now')
    expect(await paths()).toEqual(['now'])
    await store.expire()
    state.now = NOW + HOUR_MS
    expect(await paths()).toEqual([])
    state.now = NOW + 100 * HOUR_MS
    expect(await paths()).toEqual([])
  })

  test('another user reads none of it, and it leaves the device once its user is signed out, unwritten or not', async () => {
    const { state, store, call, paths, due } = tab()
    call('mine')
    await paths()
    state.user = 'u7'
    expect(await paths()).toEqual([])
    state.user = 'u6'
    expect(await paths()).toEqual(['mine'])
    call('unwritten')
    state.user = ''
    call('login')
    due.at(-1)?.()
    await store.expire()
    state.user = 'u6'
    expect(await paths()).toEqual(['login'])
    await store.clear()
    expect(await paths()).toEqual([])
  })
})

describe('[figures] the store', () => {
  test('a batch is written once, however much was added, and another tab reads it', async () => {
    const [own, other] = [tab(), tab()]
    for (let n = 1; n <= 5; n += 1) own.figure(`${n}`, n)
    expect(own.due).toHaveLength(1)
    expect(await other.values()).toEqual([])
    own.due[0]?.()
    await vi.waitFor(async () => expect(await other.values()).toEqual([1, 2, 3, 4, 5]))
    own.figure('6', 6)
    expect(own.due).toHaveLength(2)
  })

  test('two tabs that write at once lose nothing of each other', async () => {
    const [own, other] = [tab(), tab()]
    own.figure('x', 1)
    other.figure('y', 2)
    await Promise.all([own.values(), other.values()])
    expect(new Set(await own.values())).toEqual(new Set([1, 2]))
  })

  test('a list is bounded: its oldest entries leave, the other lists stay', async () => {
    const { call, figure, paths, values } = tab()
    figure('a', 9)
    for (let n = 1; n <= 320; n += 1) call(`${n}`)
    await paths()
    for (let n = 321; n <= 520; n += 1) call(`${n}`)
    const all = await paths()
    expect([all.length, all[0], all.at(-1)]).toEqual([500, '21', '520'])
    expect(await values()).toEqual([9])
  })

  test('a measurement that grows replaces its earlier value, written or not', async () => {
    const { figure, values } = tab()
    figure('page', 1)
    await values()
    figure('other', 7)
    figure('page', 2)
    figure('page', 3)
    expect(await values()).toEqual([7, 3])
  })

  test('entries of another shape are dropped, and a store that does not open has none', async () => {
    const entry = { at: new Date(NOW).toISOString(), id: 'x', name: 'INP', value: 4, unit: 'ms', route: '/' }
    await set('figure INP ', [1, null, { at: '' }, entry], diagnosticsDatabase(''))
    await set('figure CLS ', 'no list', diagnosticsDatabase(''))
    expect(await tab().values()).toEqual([4])
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new Error('no storage')
      },
    })
    const broken = tab()
    broken.figure('1', 1)
    expect(await broken.values()).toEqual([])
  })
})
