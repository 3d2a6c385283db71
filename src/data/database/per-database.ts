import { ReplaySubject, share, type Observable } from 'rxjs'
import type { Database } from './database.ts'

/**
 * Shares one live query between all screens. It runs until the database closes, so that each new screen gets the value
 * at once.
 */
export function perDatabase<T>(query: (db: Database) => Observable<T>): (db: Database) => Observable<T> {
  const known = new WeakMap<Database, Observable<T>>()
  return (db) => {
    const existing = known.get(db)
    if (existing) return existing
    const shared$ = query(db).pipe(
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false, resetOnComplete: false }),
    )
    known.set(db, shared$)
    return shared$
  }
}
