/** Limits password tries for 封印中 data, as for the screen lock: each wrong one is followed by a wait. */
import type { LockedData } from '#data/locked/locked-data.ts'
import type { PasswordTries } from './tries.ts'

export const limitUnlocking = (lockedData: LockedData, tries: PasswordTries): LockedData => ({
  ...lockedData,
  wait: tries.wait,
  async open(password) {
    if (tries.wait() > 0) return 'later'
    const takeBack = await tries.begin()
    const opened = await lockedData.open(password).catch(async (error: unknown) => {
      await takeBack()
      throw error
    })
    if (opened !== 'wrong') await tries.right()
    return opened
  },
})
