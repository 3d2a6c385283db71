/** The figures of the fleet (decisions/telemetry) hold nothing that anybody has written. */
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { errorFact, queueFacts } from '#app/diagnostics/telemetry/facts.ts'
import { EVERY_MS } from '#app/diagnostics/telemetry/schedule.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { summariesOf } from '#lib/field-figures.ts'
import { blankFacts, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { canariesIn, canariesOf, storedNames } from '../../support/canaries.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { errorEntry, figure, fleet, START } from '../../support/telemetry-device.ts'
import { viewIn } from '../../support/stored-views.ts'

describe('[decisions/telemetry] no personal data', () => {
  const item: QueueItem = {
    record: {
      resource: 'quickReports',
      key: 'k',
      requestId: 'r',
      workingDate: '2026-06-01',
      serverId: 's',
      changes: [],
      unsent: 'yes',
    },
    change: {
      id: 'c',
      stamp: 'stamp',
      savedAt: '2026-06-01T07:00:00+09:00',
      userId: 'u',
      offline: false,
      kind: 'entry',
      fields: { text: 'text', place: { name: 'name', phone: 'phone' }, madeOn: ['list'] },
    },
    state: 'failed',
    progress: undefined,
    blockedBy: undefined,
  }
  const entry: SendFacts = {
    ...blankFacts(item),
    state: 'refused',
    serverId: 'id',
    reasons: ['reason'],
    status: 422,
    payload: '{"text":1}',
    settledAt: '2026-06-01T07:10:00+09:00',
  }
  const outbox = (): Outbox => ({
    queue: [{ ...item, progress: entry, blockedBy: 'other' }],
    photos: [{ resource: 'quickReports', recordKey: 'k', sent: 0, total: 1, items: [item] }],
    unsent: 1,
    failed: true,
    wait: null,
    sent: [{ ...entry, state: 'accepted' }],
    progress: new Map([['c', entry]]),
    drafts: [],
  })
  const inputs = () => ({
    outbox: outbox(),
    error: errorEntry('e', { response: '500 https://a/b', user: 'u 5 name', agent: 'b' }),
    figure: figure('INP', 90),
  })

  /** Paths of every text in it, names of fields included. */
  function textsIn(value: unknown, path: string[] = []): string[][] {
    if (typeof value === 'string') return [path]
    if (value instanceof Map)
      return [...value.entries()].flatMap(([key, each]) => textsIn(each, [...path, String(key)]))
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]))
  }
  function plant(value: object, [name = '', ...rest]: string[], canary: string): void {
    const isMap = value instanceof Map
    const within: unknown = isMap ? value.get(name) : Reflect.get(value, name)
    if (rest.length > 0) return plant(within as object, rest, canary)
    if (isMap) value.set(name, canary)
    else Reflect.set(value, name, canary)
  }

  const CANARIES = [
    'カナリア太郎',
    'CANARY-090-1234-5678',
    'CanaryTaroError',
    'canary@example.jp /assets/canary-12345678.js:1:2',
  ]

  test('a canary in any field of the queue, the ledger, the error log and the figures is in nothing that is sent', async () => {
    const paths = textsIn(inputs())
    expect(paths.length).toBeGreaterThan(50)
    const leaks: string[] = []
    for (const path of paths)
      for (const canary of CANARIES) {
        const planted = structuredClone(inputs())
        plant(planted, path, canary)
        const { state, arrived, round } = fleet()
        state.found = {
          queue: queueFacts(planted.outbox),
          errors: [errorFact(planted.error)],
          figures: summariesOf([planted.figure], START),
        }
        await round()
        state.now += EVERY_MS
        await round()
        const told = arrived.map(({ body }) => body).join('\n')
        if (/カナリア|canary|090-1234/i.test(told)) leaks.push(path.join('.'))
        // it was sent, and all else is there
        expect(told).toContain('genba.unsent')
      }
    expect(leaks).toEqual([])
  })

  test('a canary in every field of every collection is in nothing that is sent, nor in what is kept for it', async () => {
    const db = await openTestDatabase()
    const stores = db as unknown as Record<
      string,
      { bulkInsert(docs: object[]): Promise<{ error: unknown[] }> }
    >
    for (const name of storedNames)
      expect((await stores[name]?.bulkInsert(canariesOf(name)))?.error).toEqual([])
    const [change] = (await viewIn(db, 'emergencyReports')).changes
    expect(canariesIn(JSON.stringify(change)).length).toBeGreaterThan(3)
    const outbox = await firstValueFrom(outbox$(db))
    expect(outbox.queue.length).toBeGreaterThan(3)
    const { state, arrived, round } = fleet()
    state.found = { queue: { ...queueFacts(outbox), waits: true } }
    await round()
    expect(arrived[0]?.body).toContain('genba.changes.refused')
    expect(canariesIn(arrived[0]?.body ?? '')).toEqual([])
    const { counted, ...rest } = state.stored
    expect(canariesIn(JSON.stringify(rest))).toEqual([])
    // the ids of changes, which are random in truth
    expect(Object.keys(counted).length).toBeGreaterThan(0)
    await db.close()
  })
})
