/**
 * How far the writes of a store have come. Counted in the transaction of each write, beside its documents, so that a start
 * knows without reading them that nothing was written since what it kept of them.
 *
 *     write ─→ documents, and stand + 1 ─→ event with the stand ─→ every tab
 *     what somebody holds of the documents is all of them: it knows all writes up to the stand on the disk
 */
import type { RxCollection } from 'rxdb/plugins/core'
import type { Observable } from 'rxjs'
import { answers, type Begun, DeviceInternals } from './docs-table.ts'

const ROW = 'writes'

export interface WriteStand {
  count: number
  /** Of that write alone: a device that lost its last writes counts the next ones the same. */
  last: string
}

/** What a change of a store is told with, where its writes are counted. */
export interface Counted {
  stand?: WriteStand
}

export const isSameStand = (a: WriteStand | null, b: WriteStand | null): boolean =>
  a !== null && b !== null && a.count === b.count && a.last === b.last

/** Within a write's transaction. @param asked told when it may be counted @returns null where the store is not counted */
export function counting({ beside }: Begun, asked: () => void) {
  if (!beside) return null
  const before: IDBRequest<WriteStand | undefined> = beside.get(ROW)
  before.addEventListener('success', asked)
  return {
    /** @param last anything that no other write has */
    count(last: string): WriteStand {
      const stand = { count: (before.result?.count ?? 0) + 1, last }
      beside.put({ id: ROW, ...stand })
      return stand
    },
  }
}

/** @returns null where nothing was counted, or the store is another's */
export async function standOf<R>({ storageInstance }: RxCollection<R>): Promise<WriteStand | null> {
  const { internals } = storageInstance as { internals: unknown }
  if (!(internals instanceof DeviceInternals) || !internals.isCounted) return null
  const row = await internals.again(async () => {
    const { transaction, beside } = await internals.begin('readonly')
    const asked: IDBRequest<WriteStand | undefined> | undefined = beside?.get(ROW)
    return asked && (await answers(transaction, [asked]))[0]
  })
  return row ? { count: row.count, last: row.last } : null
}

/** Which writes somebody knows who is told of each, in whatever order the tabs tell. */
export interface KnownWrites {
  /** All up to this one are known. */
  from(stand: WriteStand): void
  /** Whether all are, up to this one. */
  reach(stand: WriteStand): boolean
  stop(): void
}

export function knownWrites<R>({ storageInstance }: Pick<RxCollection<R>, 'storageInstance'>): KnownWrites {
  const told = new Map<number, string>()
  let known: WriteStand | null = null
  const goOn = () => {
    if (!known) return
    for (const count of told.keys()) if (count < known.count) told.delete(count)
    for (let last = told.get(known.count + 1); last !== undefined; last = told.get(known.count + 1)) {
      told.delete(known.count)
      known = { count: known.count + 1, last }
    }
  }
  const changes$ = storageInstance.changeStream() as Observable<Counted>
  const subscription = changes$.subscribe(({ stand }) => {
    if (!stand) return
    told.set(stand.count, stand.last)
    goOn()
  })
  return {
    from(stand) {
      known = stand
      goOn()
    },
    reach: (stand) => isSameStand(known, stand),
    stop: () => subscription.unsubscribe(),
  }
}
