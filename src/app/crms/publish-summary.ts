/** Publishes how much work of a CRM is unsent (decisions/config): numbers and the session, never content. */
import type { Session } from '#schemas/device/session.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { writeSummary, readSummary, type CrmSummary } from './summary.ts'

interface PublishSummary {
  scope: string
  sessions: ValueStore<Session | null>
  data: ValueStore<{ db: Database } | null>
  locked?: ValueStore<boolean>
}

/** Publishes the unsent and failed work of this page's CRM and the state of its session, until the page closes. */
export function publishSummary({ scope, sessions, data, locked }: PublishSummary) {
  let { unsent, failed } = readSummary(scope)
  let isClosed = false
  const kind = () => sessionKind(sessions.get(), isClosed, locked?.get())
  const publish = () => writeSummary(scope, { session: kind(), unsent, failed })
  let stop = () => undefined as void
  const follow = () => {
    stop()
    const opened = data.get()
    if (!opened) return
    isClosed = false
    const watching = outbox$(opened.db).subscribe((outbox) => {
      ;({ unsent, failed } = outbox)
      publish()
    })
    stop = () => watching.unsubscribe()
  }
  sessions.subscribe(publish)
  locked?.subscribe(publish)
  data.subscribe(follow)
  publish()
  follow()
  return {
    /** Publishes that this CRM's database is closed. Must be called when the database could not be opened. */
    cannotOpen() {
      isClosed = true
      publish()
    },
  }
}

function sessionKind(session: Session | null, isClosed: boolean, isLocked = false): CrmSummary['session'] {
  if (!session) return 'signed-out'
  if (isLocked) return 'locked'
  if (isClosed) return 'closed'
  return session.expired ? 'timed-out' : 'open'
}
