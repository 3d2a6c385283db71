import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openJournal } from '#app/diagnostics/journal.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const HOUR_MS = 3_600_000

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))

const call = (path: string) =>
  ({ method: 'GET', path, status: 200, tookMs: 12, sent: 0, received: 9 }) as const
const move = { change: 'c1', resource: 'photos', kind: 'upload', from: null, to: 'sending' } as const
const facts = { status: 0, serverErrors: 0, wish: 'none' } as const

/** A page of this device. */
function page() {
  const state = { now: NOW, user: 'u6' }
  const journal = openJournal({
    now: () => state.now,
    user: () => state.user,
    scope: '',
    later: () => undefined,
  })
  return { state, journal }
}
const pathsOf = async ({ journal }: ReturnType<typeof page>) =>
  (await journal.read()).calls.map(({ path }) => path)

describe('[EX6] what the app did in the last day', () => {
  test('calls and moves of the ledger come back after a reload, oldest first, with their time', async () => {
    const before = page()
    before.state.now = NOW - 3 * HOUR_MS
    before.journal.called(call('first'))
    before.state.now = NOW
    before.journal.called(call('second'))
    before.journal.moved({ ...move, ...facts })
    await before.journal.read()
    const after = page()
    expect(await pathsOf(after)).toEqual(['first', 'second'])
    expect((await after.journal.read()).moves).toEqual([
      { ...move, ...facts, at: new Date(NOW).toISOString() },
    ])
  })

  test('after a day it is over: not read, and gone from the device with the next look', async () => {
    const device = page()
    device.journal.called(call('yesterday'))
    device.state.now = NOW + 25 * HOUR_MS
    device.journal.called(call('now'))
    expect(await pathsOf(device)).toEqual(['now'])
    device.state.now = NOW + 26 * HOUR_MS
    await device.journal.expire()
    device.state.now = NOW + HOUR_MS
    expect(await pathsOf(device)).toEqual([])
  })

  test('another user reads none of it, and it goes when that one is signed in, or nobody is', async () => {
    const device = page()
    device.journal.called(call('mine'))
    device.state.user = 'u7'
    expect(await pathsOf(device)).toEqual([])
    device.state.user = 'u6'
    expect(await pathsOf(device)).toEqual(['mine'])
    device.state.user = ''
    device.journal.called(call('login'))
    await device.journal.expire()
    device.state.user = 'u6'
    expect(await pathsOf(device)).toEqual(['login'])
    await device.journal.clear()
    expect(await pathsOf(device)).toEqual([])
  })

  test('of one hour no more than 500 calls are kept', async () => {
    const device = page()
    for (let n = 1; n <= 520; n += 1) device.journal.called(call(`${n}`))
    const paths = await pathsOf(device)
    expect([paths.length, paths[0], paths.at(-1)]).toEqual([500, '21', '520'])
  })
})
