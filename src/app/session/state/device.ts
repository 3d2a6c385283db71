/**
 * Types of what belongs to the device and not to a user. `boot.ts` opens it once and passes it to the parts of the app.
 */
import type { UserData } from '#data/context/app-context.tsx'
import type { Clock } from '#lib/time/stamp.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import type { ErrorLog } from '#app/diagnostics/error-log.ts'
import type { Network } from '#app/network/network.ts'
import type { Keys } from './keys.ts'
import type { DeviceSessions } from './session-store.ts'
import type { Memory } from './tab-memory.ts'

export interface Device {
  clock: Clock
  /** Scope of the CRM on the screen (`crm-scope.ts`). */
  scope: string
  sessions: DeviceSessions
  values: DeviceValues
  settings: DeviceSettings
  keys: () => Promise<Keys>
  log: ErrorLog
  report: (problem: unknown) => void
}

/** The device, together with what belongs to one page of the app. */
export interface Page extends Device {
  userData: ValueStore<UserData | null>
  memory: Memory
  network: Promise<Network>
  firstPaint: Promise<void>
}
