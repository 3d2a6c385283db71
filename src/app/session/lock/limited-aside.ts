/** What is sealed under a password of before (封印中) is tried with waits after wrong ones, as the lock of the screen is. */
import type { Aside } from '#data/seal/aside.ts'
import type { PasswordTries } from './tries.ts'

export const limitedAside = (aside: Aside, tries: PasswordTries): Aside => ({
  ...aside,
  wait: tries.wait,
  async open(password) {
    if (tries.wait() > 0) return 'later'
    const takeBack = await tries.begin()
    const opened = await aside.open(password).catch(async (error: unknown) => {
      await takeBack()
      throw error
    })
    if (opened !== 'wrong') await tries.right()
    return opened
  },
})
