/** Whether the screen is locked. On a device without a lock nothing but this is loaded (`lock/lock-control.ts`). */
import type { LockControl, LockState, ScreenLock } from '#data/screen-lock.ts'
import { LOCK_NAME, lockAfter } from '#lib/screen-lock.ts'
import { createValueStore, type WritableStore } from './value-store.ts'

type Load = (state: WritableStore<LockState>) => Promise<LockControl & { asked: Promise<void> }>

/** @returns `asked`: once it is known whether it is locked */
export function createScreenLock(
  load: Load,
  report: (problem: unknown) => void,
): ScreenLock & { asked: Promise<void> } {
  const isOn = () => lockAfter() !== 'off'
  const state = createValueStore<LockState>(isOn() ? 'asking' : 'open')
  let loading: ReturnType<Load> | null = null
  const control = () =>
    (loading ??= load(state).catch((error: unknown) => {
      loading = null
      throw error
    }))
  // another tab has set it
  window.addEventListener('storage', ({ key }) => {
    if (key === LOCK_NAME && isOn()) void control().catch(report)
  })
  const asked = async () => {
    try {
      if (isOn()) await (await control()).asked
    } catch (error) {
      report(error)
      // what cannot be asked is not shown
      state.set('locked')
    }
  }
  return { state, control, asked: asked() }
}
