/** Loads and starts telemetry (decisions/telemetry), if `config.json` names a server for it. */
import { del } from 'idb-keyval'
import type { DiagnosticServices, UserData } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { Figures } from '#app/diagnostics/figures.ts'
import { diagnosticsDatabase, TELEMETRY_KEY } from '#app/diagnostics/store.ts'
import type { CallCounts } from '#app/diagnostics/recorder.ts'

export interface TelemetrySources {
  settings: Pick<DeviceSettings, 'usable' | 'minimumVersion'>
  userData: ValueStore<UserData | null>
  log: ErrorLog
  figures: () => Promise<{ read: Figures['read'] }>
  network: Promise<{
    calls: { take(): CallCounts; restore(taken: CallCounts): void }
    connectivity: { isOnline(): boolean }
  }>
  now: () => number
  /** Called at most once per page, because a storage failure would repeat every two minutes. */
  report: (problem: unknown) => void
}

export type Telemetry = DiagnosticServices['telemetry'] & { stop(): void }

export async function startTelemetry(sources: TelemetrySources): Promise<Telemetry> {
  const { telemetry } = await sources.settings.usable
  if (telemetry) return (await import('./run.ts')).runTelemetry(telemetry, sources)
  await del(TELEMETRY_KEY, diagnosticsDatabase(''))
  return { about: async () => null, reset: async () => undefined, stop: () => undefined }
}
