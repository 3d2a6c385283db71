/** The duties of the leader tab besides the replications: it answers the screens' fetch requests. */
import { filter, merge, takeUntil, type Observable, type Subject } from 'rxjs'
import type { SyncDatabase } from '../storage/database.ts'
import { openFetchRequests$ } from '../storage/interests.ts'

interface Duties {
  db: SyncDatabase
  stop$: Observable<void>
  nudge$: Subject<void>
  /** Reads everything again, at the user's request. */
  refresh: () => void
  pull: () => void
  replan: () => void
}

export function leaderDuties({ db, stop$, nudge$, refresh, pull, replan }: Duties) {
  // The user's request lets one call begin, even if the change is written again before the request is applied
  // (RULES OC10).
  const userRequests$ = merge(db.changes.$, db.photos.$).pipe(
    filter(
      ({ documentData: { wish }, previousDocumentData: before }) => wish !== 'none' && before?.wish !== wish,
    ),
  )
  userRequests$.pipe(takeUntil(stop$)).subscribe(() => nudge$.next())
  let refreshedFor = ''
  openFetchRequests$(db)
    .pipe(takeUntil(stop$))
    .subscribe((questions) => {
      if (questions.length === 0) return
      const question = questions.find(({ kind }) => kind === 'refresh')
      if (question && question.askedAt !== refreshedFor) {
        refreshedFor = question.askedAt
        nudge$.next()
        refresh()
      }
      if (questions.some(({ kind, resource }) => kind === 'list' || (kind === 'detail' && resource))) replan()
      pull()
    })
}
