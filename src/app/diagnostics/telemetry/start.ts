/** Loads and starts telemetry (decisions/telemetry), if `config.json` names a server for it. */
import { del } from 'idb-keyval'
import type { DiagnosticServices } from '#data/context/app-context.tsx'
import { diagnosticsDatabase, TELEMETRY_KEY } from '#app/diagnostics/store.ts'
import type { TelemetrySources } from './run.ts'

export type Telemetry = DiagnosticServices['telemetry'] & { stop(): void }

export async function startTelemetry(sources: TelemetrySources): Promise<Telemetry> {
  const { telemetry } = await sources.settings.usable
  if (telemetry) return (await import('./run.ts')).runTelemetry(telemetry, sources)
  await del(TELEMETRY_KEY, diagnosticsDatabase(''))
  return { about: async () => null, reset: async () => undefined, stop: () => undefined }
}
