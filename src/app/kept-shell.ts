/** Who is signed in here, for the next start's first paint; and whose list is kept for it (sync RULES SV4). */
import { KEPT_ROWS, lastScope, scoped } from '#lib/crm-scope.ts'
import type { Booted } from './boot.ts'

/** The user's id, where somebody is signed in; of the CRM that `first-paint.ts` read. */
const SHELL = scoped('genba:shell', lastScope())

export const shellUser = (): string | null => localStorage.getItem(SHELL)

/** Nothing of one user is shown to the next. */
function keepShell(userId: string | undefined, drop: () => void): void {
  if (userId !== undefined && shellUser() === userId) return
  drop()
  localStorage.removeItem(scoped(KEPT_ROWS, lastScope()))
  if (userId === undefined) localStorage.removeItem(SHELL)
  else localStorage.setItem(SHELL, userId)
}

/** Keeps what the next start shows first, from now on. */
export function followFirstRows(root: HTMLElement, booted: Booted): void {
  const { sessions, userData, keptStart, report } = booted
  const follow = () => keepShell(sessions.get()?.userInfo.id, keptStart.drop)
  follow()
  sessions.subscribe(follow)
  let stop = () => undefined as void
  userData.subscribe(() => {
    stop()
    stop = () => undefined
    const data = userData.get()
    const begin = async () => {
      // it reads the list, which another screen does not wait for
      await booted.drawn.done
      const { keepFirstRows } = await import('./keep-first-rows.ts')
      if (data && userData.get() === data) stop = keepFirstRows(root, data, booted)
    }
    if (data) void begin().catch(report)
  })
}
