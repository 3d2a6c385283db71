import type { BehaviorSubject } from 'rxjs'
import type { Session } from '#schemas/device/session.ts'
import type { SessionStore } from '#sync/transport/session-tokens.ts'

/** The session of a test's phone, as a tab of it reads and renews it. @param thawed once the tab goes on */
export const sessionPort = (
  session: BehaviorSubject<Session | null>,
  thawed: () => Promise<unknown>,
): SessionStore => ({
  async read() {
    await thawed()
    return session.value
  },
  async replace(known, next) {
    const held = session.value
    const isHeld = held !== null && held.accessToken === known.accessToken
    if (isHeld) session.next(next)
    return isHeld
  },
})
