/** Types of the objects that belong to the device, not to a user. `boot.ts` opens them once. */
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
  scope: string
  sessions: DeviceSessions
  values: DeviceValues
  settings: DeviceSettings
  keys: () => Promise<Keys>
  log: ErrorLog
  report: (problem: unknown) => void
}

export interface Page extends Device {
  userData: ValueStore<UserData | null>
  memory: Memory
  network: Promise<Network>
  firstPaint: Promise<void>
}
