/**
 * `telemetry` of config.json (decisions/telemetry): what is a good one, and that nothing is sent or kept without it.
 */
import 'fake-indexeddb/auto'
import { entries } from 'idb-keyval'
import { describe, expect, test, vi } from 'vitest'
import { builtSettings, settingsOf, type TelemetrySettings } from '#app/config/env.ts'
import { createErrorLog } from '#app/diagnostics/error-log.ts'
import { readConfig } from '#app/config/read-config.ts'
import type { TelemetrySources } from '#app/diagnostics/telemetry/run.ts'
import { startTelemetry } from '#app/diagnostics/telemetry/start.ts'
import { diagnosticsDatabase } from '#app/diagnostics/store.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { UserData } from '#data/context/app-context.tsx'
import { i18n } from '../../support/i18n.ts'

const DEFAULTS = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'key',
  fileStoreEndpoint: '/doccloud',
  fileStoreErrorLogFolder: 'error-logs',
  imageSizeLimit: '10',
  appName: '現場ワーク',
  codeLabels: {},
}

describe('[decisions/telemetry] telemetry of config.json', () => {
  test.each([
    [{ endpoint: '/otlp' }, { endpoint: '/otlp', sample: 1 }],
    [
      { endpoint: 'https://o.example/otlp', sample: 0.1 },
      { endpoint: 'https://o.example/otlp', sample: 0.1 },
    ],
    [{ endpoint: 'http://o.example' }, null],
    [{ endpoint: 'https://o.example/' }, null],
    [{ endpoint: '/otlp', sample: 0 }, null],
    [{ endpoint: '/otlp', sample: 2 }, null],
    [{}, null],
    ['/otlp', null],
  ])('%o', async (telemetry, expected) => {
    const fetch = async () => Response.json({ telemetry })
    const answer = await readConfig({ fetch, known: null, version: '1', i18n })
    const said = answer.kind === 'read' ? answer.config.said : {}
    expect(settingsOf(DEFAULTS, said).telemetry).toEqual(expected)
    const named = answer.problems.filter((line) => line.includes(' telemetry が正しくありません'))
    expect(named).toHaveLength(expected === null ? 1 : 0)
  })

  test('off where nobody says it; a build may say it, and config.json goes before that', () => {
    const ofBuild = (vars: Record<string, string>) => builtSettings(vars, (problem) => expect.fail(problem))
    expect(settingsOf(ofBuild({}), {}).telemetry).toBeNull()
    const built = ofBuild({ VITE_TELEMETRY_ENDPOINT: '/otlp' })
    expect(settingsOf(built, {}).telemetry).toEqual({ endpoint: '/otlp', sample: 1 })
    expect(settingsOf(built, { telemetry: { endpoint: '/other' } }).telemetry?.endpoint).toBe('/other')
  })
})

describe('[decisions/telemetry] on and off', () => {
  const parts = (telemetry: TelemetrySettings | null): TelemetrySources => ({
    settings: {
      usable: Promise.resolve(settingsOf({ ...DEFAULTS, telemetry }, {})),
      minimumVersion: createValueStore('0.2.0'),
    },
    userData: createValueStore<UserData | null>(null),
    log: createErrorLog({ now: Date.now, session: () => null, agent: '', screen: () => '/', scope: '' }),
    figures: async () => ({ read: async () => [] }),
    network: Promise.resolve({
      calls: { take: () => ({}), restore: () => undefined },
      connectivity: { isOnline: () => true },
    }),
    now: Date.now,
    report: (problem) => expect.unreachable(String(problem)),
  })
  const kept = async () => (await entries(diagnosticsDatabase(''))).length

  test('on: one request once the first screen has stood for a while; off at the next start: none, and nothing is kept', async () => {
    vi.stubGlobal('__APP_VERSION__', '0.1.0')
    const posted: string[] = []
    const fetch = async (input: string) => {
      posted.push(input)
      return Response.json({})
    }
    vi.stubGlobal('fetch', fetch)
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] })
    const on = await startTelemetry(parts({ endpoint: '/otlp', sample: 1 }))
    const before = await on.about()
    expect(before).toMatchObject({ sample: 1, sentAt: null })
    await vi.advanceTimersByTimeAsync(29_000)
    expect(posted).toEqual([])
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    vi.useRealTimers()
    await vi.waitFor(() => expect(posted).toEqual(['/otlp/v1/metrics']))
    await vi.waitFor(async () => expect((await on.about())?.sentAt).not.toBeNull())
    expect((await on.about())?.id).toBe(before?.id)
    await on.reset()
    expect((await on.about())?.id).not.toBe(before?.id)
    expect((await on.about())?.waiting).toBe(0)
    on.stop()
    expect(await kept()).toBe(1)
    const off = await startTelemetry(parts(null))
    expect(await off.about()).toBeNull()
    await vi.waitFor(async () => expect(await kept()).toBe(0))
    expect(posted).toHaveLength(1)
  })
})
