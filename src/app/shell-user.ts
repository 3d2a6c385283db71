/** Says who is signed in to the next start's first paint, which chooses its frame by it (`first-paint.ts`). */
import { lastScope, scoped } from '#lib/crm-scope.ts'
import type { DeviceSessions } from './session-store.ts'

/** Of the CRM that `first-paint.ts` reads. */
const NAME = scoped('genba:shell', lastScope())

/** The user's id, where somebody is signed in. */
export const shellUser = (): string | null => localStorage.getItem(NAME)

/** Writes the user's id with each change of the session. */
export function followShellUser(sessions: Pick<DeviceSessions, 'get' | 'subscribe'>): void {
  const follow = () => {
    const userId = sessions.get()?.userInfo.id
    if (userId === undefined) localStorage.removeItem(NAME)
    else if (shellUser() !== userId) localStorage.setItem(NAME, userId)
  }
  follow()
  sessions.subscribe(follow)
}
