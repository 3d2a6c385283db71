import { ReplaySubject, share, type Observable } from 'rxjs'
import type { Database } from './database.ts'

/**
 * A query that many screens share: asked once for each database, and kept up to date until that is closed, so that the
 * next screen has it at once.
 */
export function perDatabase<T>(query: (db: Database) => Observable<T>): (db: Database) => Observable<T> {
  const known = new WeakMap<Database, Observable<T>>()
  return (db) => {
    const before = known.get(db)
    if (before) return before
    const shared$ = query(db).pipe(
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false, resetOnComplete: false }),
    )
    known.set(db, shared$)
    return shared$
  }
}
