/** The figures of the fleet (decision 0077) hold nothing that anybody has written. */
import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { errorFact } from '#app/telemetry/error-facts.ts'
import { queueFacts } from '#app/telemetry/facts.ts'
import { keptTelemetry, newTelemetry } from '#app/telemetry/kept.ts'
import { EVERY_MS } from '#app/telemetry/when.ts'
import type { Outbox } from '#data/outbox.ts'
import { summariesOf } from '#lib/field-figures.ts'
import { blankLedgerEntry, type QueueItem } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { errorEntry, figure, fleet, START } from '../../support/telemetry-device.ts'

describe('[decision 0077] no personal data', () => {
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
    ledger: undefined,
    heldBy: undefined,
  }
  const entry: LedgerEntry = {
    ...blankLedgerEntry(item),
    state: 'refused',
    serverId: 'id',
    reasons: ['reason'],
    status: 422,
    payload: '{"text":1}',
    settledAt: '2026-06-01T07:10:00+09:00',
  }
  const outbox = (): Outbox => ({
    queue: [{ ...item, ledger: entry, heldBy: 'other' }],
    photos: [{ resource: 'quickReports', recordKey: 'k', sent: 0, total: 1, items: [item] }],
    unsent: 1,
    failed: true,
    wait: null,
    sent: [{ ...entry, state: 'accepted' }],
    ledger: new Map([['c', entry]]),
  })
  const inputs = () => ({
    outbox: outbox(),
    error: errorEntry('e', { response: '500 https://a/b', user: 'u 5 name', browser: 'b', os: 'o' }),
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
        const { state, arrived, turn } = fleet()
        state.found = {
          queue: queueFacts(planted.outbox),
          errors: [errorFact(planted.error)],
          figures: summariesOf([planted.figure], START),
        }
        await turn()
        state.now += EVERY_MS
        await turn()
        const told = arrived.map(({ body }) => body).join('\n')
        if (/カナリア|canary|090-1234/i.test(told)) leaks.push(path.join('.'))
        // it was sent, and all else is there
        expect(told).toContain('genba.unsent')
      }
    expect(leaks).toEqual([])
  })

  test('and so is what is kept for it on the device', () => {
    const kept = newTelemetry('id', START)
    expect(keptTelemetry(kept)).not.toBeInstanceOf(type.errors)
    expect(Object.keys(kept)).not.toContain('user')
  })
})
