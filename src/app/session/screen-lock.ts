/** State of the screen lock. Its other code (`lock/lock-control.ts`) is loaded only on a device that has a lock set. */
import type { LockState, ScreenLock } from '#data/context/app-context.tsx'
import type { Device } from '#app/session/state/device.ts'
import { loadedOnce } from '#lib/browser/loaded-once.ts'
import { createValueStore } from '#lib/value-store.ts'

/** @returns `known` resolves once it is known whether the screen is locked */
export function createScreenLock(device: Device): ScreenLock & { known: Promise<void> } {
  const { report, values } = device
  const isOn = () => values.get('lock') !== null
  const state = createValueStore<LockState>(isOn() ? 'asking' : 'open')
  const control = loadedOnce(async () =>
    (await import('#app/session/lock/lock-control.ts')).openLock(state, device),
  )
  // Another tab may set the lock.
  values.subscribe(() => {
    if (isOn()) void control().catch(report)
  })
  const known = async () => {
    try {
      if (isOn()) await (await control()).known
    } catch (error) {
      report(error)
      // An unknown state counts as locked.
      state.set('locked')
    }
  }
  const isChosen = () => values.get('lock-chosen') !== null || isOn()
  return { state, control, isChosen, isSet: isOn, known: known() }
}
