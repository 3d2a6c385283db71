import { describe, expect, test, vi } from 'vitest'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import type { Fault } from '#demo-crm/faults.ts'
import { openHarness, REST, rowToday, TODAY } from './harness.ts'

const entryOf = (requestId: string) => ({
  requestId,
  workingDate: TODAY,
  inTime: '2026-11-20T09:00:00+09:00',
})

/** Posts an entry under a fault; says what came back and whether the CRM has it. */
async function enterUnder(fault: Omit<Fault, 'id' | 'path' | 'count'>) {
  const slept: number[] = []
  const harness = await openHarness({ sleep: async (ms) => void slept.push(ms) })
  const { id } = await rowToday(harness, 1)
  await harness.crm.faults.add({ id: 'f', path: '/quickReport/', count: 1, ...fault })
  const answer = await harness.rest('POST', 'quickReport/', entryOf(id)).catch((error: unknown) => error)
  const { quickReports } = await harness.crm.inspect()
  const has = quickReports.some((row) => row.requestId === id)
  return { answer, has, slept, call: harness.crm.calls.at(-1) }
}

describe('each kind of fault', () => {
  test('unreachable: fails as a TypeError before the CRM acts', async () => {
    const { answer, has, call } = await enterUnder({ kind: 'unreachable' })
    expect(answer).toBeInstanceOf(TypeError)
    expect([has, call?.acted, call?.status]).toEqual([false, false, 0])
  })

  test('lostAnswer: the CRM acts, then the call fails as a TypeError', async () => {
    const { answer, has, call } = await enterUnder({ kind: 'lostAnswer' })
    expect(answer).toBeInstanceOf(TypeError)
    expect([has, call?.acted, call?.status]).toEqual([true, true, 0])
  })

  test('status: that answer before the CRM acts', async () => {
    const headers = { 'Retry-After': '2' }
    const { answer, has } = await enterUnder({ kind: 'status', status: 503, body: { a: 1 }, headers })
    expect(answer).toMatchObject({ status: 503, json: { a: 1 } })
    expect(answer).toHaveProperty(
      'headers',
      new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
    )
    expect(has).toBe(false)
  })

  test('status, after: the CRM acts, then that answer', async () => {
    const { answer, has, call } = await enterUnder({ kind: 'status', status: 500, after: true })
    expect(answer).toMatchObject({ status: 500 })
    expect([has, call?.acted, call?.status]).toEqual([true, true, 500])
  })

  test('the unofficial 498 gets through', async () => {
    const { answer } = await enterUnder({ kind: 'status', status: 498, body: 'INVALID_TOKEN' })
    expect(answer).toMatchObject({ status: 498, json: 'INVALID_TOKEN' })
  })

  test('delay: waits, then the CRM acts', async () => {
    const { answer, has, slept } = await enterUnder({ kind: 'delay', ms: 1500 })
    expect(answer).toMatchObject({ status: 200 })
    expect([has, slept]).toEqual([true, [1500]])
  })

  test('captivePortal: somebody’s 200 page, the CRM does not act', async () => {
    const { answer, has } = await enterUnder({ kind: 'captivePortal' })
    expect(answer).toMatchObject({ status: 200, json: expect.stringContaining('<!doctype html>') })
    expect(has).toBe(false)
  })
})

test('a call given up during a delay is acted on all the same', async () => {
  const waiting: (() => void)[] = []
  const sleep = () => new Promise<void>((resolve) => void waiting.push(resolve))
  const { crm } = await openHarness({ sleep })
  await crm.faults.add({ id: 'slow', kind: 'delay', path: 'check', count: 1, ms: 9 })
  const giveUp = new AbortController()
  const sent = crm.fetch(new Request('http://crm.test/api/check', { signal: giveUp.signal }))
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  giveUp.abort()
  await expect(sent).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  expect(crm.calls.at(-1)).toMatchObject({ acted: false })
  waiting[0]?.()
  await vi.waitFor(() => expect(crm.calls.at(-1)).toMatchObject({ acted: true }))
})

/** What those calls are answered under the fault. */
const statuses = async (fault: Omit<Fault, 'id' | 'kind' | 'status'>, calls: [string, string][]) => {
  const { crm, rest } = await openHarness()
  await crm.faults.add({ id: 'f', kind: 'status', status: 418, ...fault })
  const got = []
  for (const [method, path] of calls)
    got.push((await rest(method, path, method === 'GET' ? undefined : {})).status)
  return got
}

describe('which calls', () => {
  const search: [string, string] = ['GET', 'request/search?limit=1']
  const post: [string, string] = ['POST', 'quickReport/']
  const read: [string, string] = ['GET', 'quickReport/x']

  test.each<[string, Omit<Fault, 'id' | 'kind' | 'status'>, number[]]>([
    ['a glob', { path: `${REST}/quickReport/**`, count: 'always' }, [200, 418, 418]],
    ['a RegExp', { path: 'quickReport/$', count: 'always' }, [200, 418, 404]],
    ['with a query', { path: 'search\\?limit=1', count: 'always' }, [418, 422, 404]],
    ['a star first', { path: '*quickReport*', count: 'always' }, [200, 418, 418]],
    ['a method', { path: '**', method: 'post', count: 'always' }, [200, 418, 404]],
    ['two times', { path: '.*', count: 2 }, [418, 418, 404]],
    ['no times', { path: '.*', count: 0 }, [200, 422, 404]],
  ])('%s', async (_, fault, expected) => {
    expect(await statuses(fault, [search, post, read])).toEqual(expected)
  })

  test('delays add up with another fault', async () => {
    const slept: number[] = []
    const { crm, rest } = await openHarness({ sleep: async (ms) => void slept.push(ms) })
    await crm.faults.add({ id: 'a', kind: 'delay', path: 'search', count: 'always', ms: 100 })
    await crm.faults.add({ id: 'b', kind: 'delay', path: 'search', count: 1, ms: 50 })
    await crm.faults.add({ id: 'c', kind: 'unreachable', path: 'search', count: 1 })
    await expect(rest(...search)).rejects.toThrow(TypeError)
    expect((await rest(...search)).status).toBe(200)
    expect(slept).toEqual([150, 100])
  })

  test('they are data: listed, replaced by id, removed, cleared, and kept in the store', async () => {
    const store = createMemoryStore()
    const { crm } = await openHarness({ store })
    await crm.faults.add({ id: 'a', kind: 'unreachable', path: 'x', count: 2 })
    await crm.faults.add({ id: 'b', kind: 'unreachable', path: 'y', count: 1 })
    await crm.faults.add({ id: 'a', kind: 'lostAnswer', path: 'x', count: 1 })
    const reloaded = await openHarness({ store })
    expect((await reloaded.crm.faults.list()).map(({ id, kind }) => [id, kind])).toEqual([
      ['b', 'unreachable'],
      ['a', 'lostAnswer'],
    ])
    await crm.faults.remove('b')
    expect(await crm.faults.list()).toHaveLength(1)
    await crm.faults.clear()
    expect(await crm.faults.list()).toEqual([])
  })
})

test('calls are listed as they arrived, with who made them and whether the CRM acted', async () => {
  const { crm, rest } = await openHarness()
  await rest('GET', 'request/search?limit=1')
  await rest('GET', 'request/nobody')
  expect(
    crm.calls.map(({ method, path, status, acted, user }) => [method, path, status, acted, user]),
  ).toEqual([
    ['POST', '/api/v1/crm/login', 200, true, ''],
    ['GET', `${REST}/request/search?limit=1`, 200, true, 'demo6'],
    ['GET', `${REST}/request/nobody`, 404, false, 'demo6'],
  ])
})

test('reset goes back to the seed and forgets tokens, faults and calls', async () => {
  const harness = await openHarness()
  const { crm, rest } = harness
  const seed = await crm.inspect()
  const { id } = await rowToday(harness, 1)
  await rest('POST', 'quickReport/', entryOf(id))
  await crm.faults.add({ id: 'f', kind: 'unreachable', path: 'nowhere', count: 1 })
  await crm.reset()
  expect([crm.calls, await crm.faults.list()]).toEqual([[], []])
  expect((await crm.inspect()).quickReports).toEqual(seed.quickReports)
  expect((await rest('GET', 'request/search')).status).toBe(401)
})

test('actAsOtherCompany adds a note at today’s first location and edits a record of today', async () => {
  const harness = await openHarness()
  const { crm, rest } = harness
  const first = await rowToday(harness, 0)
  const seed = await crm.inspect()
  const said = await crm.actAsOtherCompany()
  expect(said).toContain(first.ttsOrder.locationArea.name)
  const after = await rowToday(harness, 0)
  expect(after.noteLocationAreaCount).toBe(first.noteLocationAreaCount + 1)
  const { json } = await rest('GET', `quickReport/${after.quickReport.id}`)
  const old = seed.quickReports.find((row) => row.id === after.quickReport.id)
  expect(json.reportContent).not.toBe(old?.reportContent)
  harness.clock.now = Date.parse('2026-11-20T06:00:00+09:00')
  await crm.reset()
  expect(await crm.actAsOtherCompany()).toContain('駐車方法')
})
