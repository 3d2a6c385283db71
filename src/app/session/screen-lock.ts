/**
 * State of the screen lock, which every start needs. The rest of the lock (`lock/lock-control.ts`) is loaded only if
 * a lock is set on the device. `asking`: the app has not yet read whether the screen is locked.
 */
import type { LockState, ScreenLock } from '#data/context/app-context.tsx'
import type { Device } from '#app/session/state/device.ts'
import { loadedOnce } from '#lib/browser/missing-code.ts'
import { createValueStore } from '#lib/value-store.ts'

/** @returns the lock; its `known` resolves once the state of the lock has been read */
export function createScreenLock(device: Device): ScreenLock & { known: Promise<void> } {
  const { report, values } = device
  const isOn = () => values.get('lock') !== null
  const state = createValueStore<LockState>(isOn() ? 'asking' : 'open')
  const control = loadedOnce(async () =>
    (await import('#app/session/lock/lock-control.ts')).openLock(state, device),
  )
  // A lock that is set later, in any tab, must work in this tab too.
  values.subscribe(() => {
    if (isOn()) void control().catch(report)
  })
  const readState = async () => {
    try {
      if (isOn()) await (await control()).known
    } catch (error) {
      report(error)
      // If the state cannot be read, the screen counts as locked.
      state.set('locked')
    }
  }
  const isChosen = () => values.get('lock-chosen') !== null || isOn()
  return { state, control, isChosen, isSet: isOn, known: readState() }
}
