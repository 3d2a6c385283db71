/**
 * What of each CRM waits on this device, as whoever has its data open has last told: kept where all pages of this device
 * see it, also when nobody has it open (decisions/config). Only numbers: no content of one is read by another's page.
 */
import { distinctUntilChanged, map } from 'rxjs'
import type { Session } from '#schemas/session.ts'
import type { ValueStore } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { outbox$ } from '#data/outbox.ts'
import { keepStanding, keptStanding, type KeptStanding } from './kept-standing.ts'

interface FollowStanding {
  scope: string
  sessions: ValueStore<Session | null>
  data: ValueStore<{ db: Database } | null>
  /** Its key waits for the password (decisions/encryption). */
  locked?: ValueStore<boolean>
}

/** Tells how this page's CRM stands, from now on. @returns what is told of its stores besides */
export function followStanding({ scope, sessions, data, locked }: FollowStanding) {
  // while nobody is signed in it is as it was left
  let { unsent, failed } = keptStanding(scope)
  let isClosed = false
  const kind = () => sessionKind(sessions.get(), isClosed, locked?.get())
  const tell = () => keepStanding(scope, { session: kind(), unsent, failed })
  let stop = () => undefined as void
  const follow = () => {
    stop()
    const opened = data.get()
    if (!opened) return
    isClosed = false
    const watching = outbox$(opened.db)
      .pipe(
        map((outbox) => ({ unsent: outbox.unsent, failed: outbox.failed })),
        distinctUntilChanged((one, other) => one.unsent === other.unsent && one.failed === other.failed),
      )
      .subscribe((now) => {
        ;({ unsent, failed } = now)
        tell()
      })
    stop = () => watching.unsubscribe()
  }
  sessions.subscribe(tell)
  locked?.subscribe(tell)
  data.subscribe(follow)
  tell()
  follow()
  return {
    /** They cannot be opened, until they have been. */
    cannotOpen() {
      isClosed = true
      tell()
    },
  }
}

function sessionKind(session: Session | null, isClosed: boolean, isLocked = false): KeptStanding['session'] {
  if (!session) return 'signed-out'
  if (isLocked) return 'locked'
  if (isClosed) return 'closed'
  return session.expired ? 'timed-out' : 'open'
}
