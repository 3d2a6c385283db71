/**
 * What RxDB lets fall (RULES trap 15): a pulled document over a local write that its push has not settled yet is not
 * written, and nobody hears of it. What was given is looked for a while later; what is not there is touched, so that the
 * push settles it, and read again.
 */
import { filter, Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import type { RxCollection, WithDeleted } from 'rxdb'
import { deepEqual } from 'rxdb/plugins/core'
import type { InFlight } from '../lib/in-flight.ts'

const LOOK_AFTER_MS = 2_000
const LOOK_AFTER_MOST_MS = 5 * 60_000

export interface Pulled {
  key: string
  server?: { stamp: string } | undefined
}

interface Parts<R extends Pulled> {
  collection: RxCollection<R>
  /** These are to be read again. */
  missed: (keys: ReadonlySet<string>) => void
  stop$: Observable<unknown>
  inFlight: InFlight
}

/** The device has what was read, or what became known of the record since. */
export const hasArrived = <R extends Pulled>(read: R, local: R | undefined): boolean =>
  local !== undefined &&
  (read.server
    ? (local.server?.stamp ?? '') >= read.server.stamp
    : deepEqual({ ...read, _deleted: false }, { ...local, _deleted: false }))

/** @returns to be told of every document that is given to RxDB */
export function watchDroppedWrites<R extends Pulled>({ collection, missed, stop$, inFlight }: Parts<R>) {
  const given = new Map<string, WithDeleted<R>>()
  const given$ = new Subject<void>()
  let tries = 0

  async function look() {
    const looked = [...given]
    const local = await collection.findByIds(looked.map(([key]) => key)).exec()
    const gone = new Set<string>()
    try {
      for (const [key, read] of looked) {
        const doc = local.get(key)
        if (!hasArrived<R>(read, doc?.toJSON() as R | undefined)) {
          // a full device may refuse it: then it is still to be looked for, and those behind it
          await doc?.incrementalModify((record) => record)
          gone.add(key)
        }
        if (given.get(key) === read) given.delete(key)
      }
      tries = gone.size > 0 ? tries + 1 : 0
    } finally {
      if (gone.size > 0) missed(gone)
    }
  }
  const lookAgain = () => {
    tries += 1
    given$.next()
  }

  given$
    .pipe(
      switchMap(() => timer(Math.min(LOOK_AFTER_MS * 2 ** tries, LOOK_AFTER_MOST_MS))),
      filter(() => given.size > 0),
      takeUntil(stop$),
    )
    .subscribe(() => void inFlight.run(look).catch(lookAgain))

  return (docs: readonly WithDeleted<R>[]) => {
    for (const doc of docs) if (!doc._deleted) given.set(doc.key, doc)
    if (docs.length > 0) given$.next()
  }
}
