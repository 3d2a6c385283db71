/** What only the leader does: it carries out what the user decided in 送信状況, and answers what screens are interested in. */
import { defer, retry, switchMap, takeUntil, type Observable, type Subject } from 'rxjs'
import type { RxDocument } from 'rxdb'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import { again } from '../lib/backoff.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { InFlight } from '../lib/in-flight.ts'
import type { QueueStore } from '../queue/queue-store.ts'
import type { Locks } from '../leadership/hold.ts'
import { asked$ } from '../storage/interests.ts'
import { createDecisions } from '../queue/decisions.ts'

interface Duties {
  db: SyncDatabase
  store: QueueStore
  locks: Locks
  now: () => number
  random: () => number
  inFlight: InFlight
  stop$: Observable<void>
  nudge$: Subject<void>
  /** Everything anew: the user asks for it. */
  refresh: () => void
  pull: () => void
  look: () => void
}

export function leaderDuties({
  db,
  store,
  locks,
  now,
  random,
  inFlight,
  stop$,
  nudge$,
  refresh,
  pull,
  look,
}: Duties) {
  const decisions = createDecisions({ store, locks, now })
  const wished$ = db.ledger.find({
    // photos have theirs granted in their own lane
    selector: { wish: { $in: ['resend', 'discard'] }, resource: { $ne: PHOTOS } },
  }).$
  const granting = (docs: RxDocument<LedgerEntry>[]) => {
    // once: what a full disk repeats is no new wish (RULES ST4)
    nudge$.next()
    const grant = () => inFlight.run(() => decisions.grant(docs.map((doc) => doc.toMutableJSON())))
    return defer(grant).pipe(retry(again(random)))
  }
  wished$
    .pipe(
      switchMap((docs) => (docs.length > 0 ? granting(docs) : [])),
      takeUntil(stop$),
    )
    .subscribe()
  let refreshedFor = ''
  asked$(db)
    .pipe(takeUntil(stop$))
    .subscribe((questions) => {
      if (questions.length === 0) return
      const asked = questions.find(({ kind }) => kind === 'refresh')
      if (asked && asked.askedAt !== refreshedFor) {
        refreshedFor = asked.askedAt
        nudge$.next()
        refresh()
      }
      if (questions.some(({ kind, resource }) => kind === 'list' || (kind === 'detail' && resource))) look()
      pull()
    })
}
