/** A CRM that is not itself: one row that throws, pages without an end, a window that is empty or half gone (PL2, PL6, PL7). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestWire } from '#schemas/resources/request.ts'
import type { Query } from '#sync/scheduler/api.ts'
import { attempt, reportProblems } from '#sync/wire/declared.ts'
import { readPages } from '#sync/scheduler/read-pages.ts'
import {
  contactChangePull,
  customerLocationPull,
  notePull,
  safetyMeasurePull,
} from '#sync/resources/own-rules.ts'
import { pastReportPull, pullResources, supplierStaffPull } from '#sync/resources/resource-table.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { PullResource } from '#sync/resources/resource.ts'
import { SECOND_READ_MS, confirmedTwice } from '#sync/pull/requests/request-removals.ts'
import { createHttp } from '#sync/transport/http.ts'
import { changedRecords, parseRequestPage, parseRows } from '../../support/without-pauses.ts'

const TODAY = '2026-11-20'
const DEEP = 100_000

/** As JSON: what nobody can say by hand. */
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const deep = (): unknown => JSON.parse(nested(DEEP))
const requestRow = (id: string, more: object = {}) => ({
  id,
  requestCode: `R-${id}`,
  workingDate: TODAY,
  ttsOrder: {},
  ...more,
})

/** A row of which only this can be read. */
const throwing = (known: { id?: string }): object =>
  new Proxy(known, {
    get(_, name) {
      if (name in known) return Reflect.get(known, name) as unknown
      throw new RangeError('nobody can read it')
    },
  })

/** What a hostile row may have in any of its fields. */
const hostile = [
  ['deep in a field nobody knows', () => ({ extra: deep() })],
  ['deep where a text is', () => ({ situation: deep(), details: deep(), type: deep(), name: deep() })],
  ['deep in place of the id', () => ({ id: deep() })],
  ['a text of ten megabytes in place of the id', () => ({ id: 'x'.repeat(10_000_000) })],
] as const

const good = {
  id: 'good',
  requestId: 'r1',
  workingDate: TODAY,
  safetyType: '1',
  createdDateTime: `${TODAY}T08:00:00Z`,
  name: '佐藤',
}
const row = <R extends LocalRecord>(name: string, pull: PullResource<R>) => [name, pull] as const
const resources = [
  row('emergency reports', pullResources.emergencyReports),
  row('safety measures', safetyMeasurePull),
  row('customer location change requests', customerLocationPull),
  row('contact change requests', contactChangePull),
  row('notes', notePull),
  row('past reports', pastReportPull),
  row('staff', supplierStaffPull),
] as unknown as readonly (readonly [string, PullResource<LocalRecord>])[]

describe('[PL2] one hostile row', () => {
  describe.each(hostile)('%s', (_, make) => {
    test('of a search: the others are read, nothing throws, and what is told is short', () => {
      const page = parseRequestPage([requestRow('a'), { ...requestRow('b'), ...make() }, requestRow('c')])
      const problems = [...page.problems]
      const made = changedRecords(
        page.rows,
        new Map(),
        { stamp: '1', at: '2026-11-20T00:00:00Z' },
        (_row, one) => problems.push(one),
      )
      expect(made.map(({ id }) => id)).toEqual(expect.arrayContaining(['a', 'c']))
      for (const problem of problems) expect(problem.length).toBeLessThanOrEqual(300)
      expect(made.length + problems.length).toBe(3)
    })
    test.each(resources)('of %s', (__, resource) => {
      const list = { owner: `r1_${TODAY}`, requests: [] }
      const alone = parseRows(resource, [good], list)
      const parsed = parseRows(resource, [good, { ...good, id: 'bad', ...make() }, good], list)
      expect(parsed.rows.filter(({ id }) => id === 'good')).toHaveLength(2 * alone.rows.length)
      expect(alone.rows).toHaveLength(1)
      for (const problem of parsed.problems) expect(problem.length).toBeLessThanOrEqual(300)
    })
  })

  // the others ask for an id, and for nothing else
  const asking = resources.filter(([name]) => /^(emergency|safety|past)/.test(name))
  test.each(asking)('of %s: it is not missing; where it has no id, nothing is', (_, resource) => {
    const list = { owner: `r1_${TODAY}`, requests: [] }
    const named = parseRows(resource, [good, throwing({ id: 'bad' })], list)
    expect(named).toMatchObject({ skipped: ['bad'], unreadable: false })
    expect(parseRows(resource, [good, throwing({})], list)).toMatchObject({
      skipped: [],
      unreadable: true,
    })
  })

  test('an answer is no deeper than anything can be, wherever it is; what lies above stays', async () => {
    const body = `[{"id":"a","extra":${nested(DEEP)}},{"id":"b","list":[[1,[2]]]}]`
    const fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } })
    const answer = await createHttp({ fetch, securityKey: 'k' })({ method: 'GET', url: 'http://crm.test/x' })
    if (answer.kind !== 'answer') throw new Error('an answer expected')
    const [first, second] = answer.body as [{ id: string }, unknown]
    expect(first.id).toBe('a')
    expect(second).toEqual({ id: 'b', list: [[1, [2]]] })
    expect(JSON.stringify(answer.body).length).toBeLessThan(500)
  })

  test('whatever throws while a row is read is a row that cannot be read', () => {
    const thrown = attempt(() => {
      throw new RangeError('x'.repeat(1_000))
    })
    expect(thrown).toMatchObject({ kind: 'unreadable', problem: expect.stringContaining('RangeError') })
    expect(attempt(() => requestWire({}))).toMatchObject({ kind: 'unreadable' })
    expect(attempt(() => 5)).toEqual({ kind: 'read', value: 5 })
  })

  test('a list full of them is told in six lines', () => {
    const told: string[] = []
    reportProblems((problem) => told.push(problem), 'list', Array(500).fill('no'))
    expect(told).toHaveLength(6)
    expect(told.at(-1)).toBe('list: 495 more')
  })
})

/** A CRM with rows, that may know no `offset` and say no total. */
function crmOf(rows: readonly unknown[], { ignoresOffset = false, total = null as number | null } = {}) {
  let reads = 0
  const read = async (_: string, query: Query = {}) => {
    reads += 1
    if (reads > 1_000) throw new Error('read for ever')
    const [limit, offset] = [Number(query['limit']), ignoresOffset ? 1 : Number(query['offset'])]
    const body = rows.slice(offset - 1, offset - 1 + limit)
    return { kind: 'accepted', status: 200, body, total } as const
  }
  return { read, reads: () => reads }
}
const rowsOf = (n: number) => Array.from({ length: n }, (_, i) => ({ id: `r${i}` }))

describe('[PL7] pages without an end', () => {
  test('of a list: the second one brings nothing new, and is the last', async () => {
    const crm = crmOf(rowsOf(60), { ignoresOffset: true })
    const read = await readPages(crm, 'x', {}, { limit: 50 })
    expect(read).toMatchObject({ kind: 'rows', complete: false, endless: true })
    expect(crm.reads()).toBe(2)
  })
  test('rows without an id are told apart by what they say', async () => {
    const crm = crmOf(
      Array.from({ length: 60 }, (_, i) => ({ n: i })),
      { ignoresOffset: true },
    )
    expect(await readPages(crm, 'x', {}, { limit: 50 })).toMatchObject({ endless: true })
    expect(crm.reads()).toBe(2)
  })
  test('new rows for ever are bounded, too', async () => {
    let n = 0
    const read = async () =>
      ({
        kind: 'accepted',
        status: 200,
        body: Array.from({ length: 50 }, () => ({ id: `n${(n += 1)}` })),
        total: null,
      }) as const
    expect(await readPages({ read }, 'x', {}, { limit: 50 })).toMatchObject({
      complete: false,
      endless: true,
    })
  })

  test.each([61, 59, null])('[PL1a] a list of 60 whose second page says %j is not complete', async (then) => {
    const [first, second] = [crmOf(rowsOf(60), { total: 60 }), crmOf(rowsOf(60), { total: then })]
    const read = async (path: string, query: Query = {}) =>
      (Number(query['offset']) > 1 ? second : first).read(path, query)
    expect(await readPages({ read }, 'x', {}, { limit: 50 })).toMatchObject({ complete: false })
    expect(await readPages(first, 'x', {}, { limit: 50 })).toMatchObject({ complete: true })
  })

  test('[PL1a] a list whose order moves between pages is complete only where no row is missing', async () => {
    const order = fc.integer({ min: 1, max: 120 }).chain((n) => {
      const ids = Array.from({ length: n }, (_, i) => ({ id: `r${i}` }))
      return fc.tuple(fc.constant(n), fc.infiniteStream(fc.shuffledSubarray(ids, { minLength: n })))
    })
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 1, max: 50 }), async ([n, orders], limit) => {
        const read = async (_: string, query: Query = {}) =>
          crmOf(orders.next().value ?? [], { total: n }).read('x', query)
        const list = await readPages({ read }, 'x', {}, { limit })
        if (list.kind !== 'rows' || !list.complete) return
        expect(new Set(list.rows.map((row) => Reflect.get(Object(row), 'id'))).size).toBe(n)
      }),
    )
  })

  test('the law: whatever a CRM does with offset and total, a list ends; complete is only one that has all', async () => {
    const total = fc.option(fc.integer({ min: 0, max: 200 }), { nil: null })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 130 }),
        fc.boolean(),
        total,
        async (count, ignoresOffset, said) => {
          const crm = crmOf(rowsOf(count), { ignoresOffset, total: said })
          const read = await readPages(crm, 'x', {}, { limit: 20 })
          expect(crm.reads()).toBeLessThanOrEqual(Math.ceil(count / 20) + 1)
          if (read.kind !== 'rows') throw new Error('rows expected')
          if (read.complete && (said === null || said === count))
            expect(new Set(read.rows.map((each) => (each as { id: string }).id)).size).toBe(
              ignoresOffset ? Math.min(count, 20) : count,
            )
        },
      ),
    )
  })
})

describe('[PL6] what is gone is looked at twice', () => {
  const keys = (n: number) => Array.from({ length: n }, (_, i) => `k${i}`)
  type Doubt = Parameters<typeof confirmedTwice>[0]
  const look = (
    gone: readonly string[],
    here: number,
    { doubt, ...more }: { doubt?: Doubt; there?: number; isPaged?: boolean; now?: number } = {},
  ) =>
    confirmedTwice(doubt, {
      gone,
      lacking: gone.length,
      here,
      there: here - gone.length,
      isPaged: false,
      now: 0,
      ...more,
    })

  test('half of what is here, and less, goes at once', () =>
    expect(look(keys(5), 10)).toEqual({ remove: keys(5), isSuspicious: false }))
  test('[PL1] but not of what was read in several pages: another reading decides', () => {
    const { remove, doubt } = look(keys(1), 100, { isPaged: true })
    expect(remove).toEqual([])
    expect(look(['k0', 'k1'], 100, { isPaged: true, doubt, now: SECOND_READ_MS })).toMatchObject({
      remove: ['k0'],
      doubt: { gone: new Set(['k1']) },
    })
  })
  test('more than half waits', () => {
    const { remove, doubt } = look(keys(6), 10)
    expect(remove).toEqual([])
    expect([...(doubt?.gone ?? [])]).toEqual(keys(6))
  })
  test('the only one waits, too: the window is empty', () =>
    expect(look(keys(1), 1, { there: 0 }).remove).toEqual([]))
  test('the same answer in the same moment says no more; a while later it does', () => {
    const { doubt } = look(keys(10), 10, { there: 0 })
    const soon = look(keys(10), 10, { there: 0, doubt, now: SECOND_READ_MS - 1 })
    expect(soon.remove).toEqual([])
    const later = look(keys(10), 10, { there: 0, doubt: soon.doubt, now: SECOND_READ_MS })
    expect(later).toEqual({ remove: keys(10), isSuspicious: true })
  })
  test('only what neither had goes', () => {
    const { doubt } = look(keys(8), 10)
    const next = look(['k7', 'x', 'y', 'z', 'k0', 'w'], 10, { doubt, now: SECOND_READ_MS })
    expect(next.remove).toEqual(['k7', 'k0'])
    expect([...(next.doubt?.gone ?? [])]).toEqual(['x', 'y', 'z', 'w'])
  })
})
