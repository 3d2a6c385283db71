import type { LockState, Services, ValueStore } from '#data/app-context.tsx'
import type { FirstList } from '#data/first-list.ts'
import type { ListKept } from './kept-start.ts'
import type { Session } from '#schemas/session.ts'
import { createValueStore } from './value-store.ts'

export interface OwnList {
  /** Id of whose list it is. */
  user: string
  list: FirstList
  /** It lies there so. */
  kept: ListKept
}

/** What is drawn before the database is open: only while its user is signed in, and the screen is not locked. */
export function createFirstList(
  first: OwnList | null,
  session: ValueStore<Session | null>,
  lock: ValueStore<LockState>,
): Services['firstList'] {
  const isOwn = () => session.get()?.userInfo.id === first?.user && lock.get() === 'open'
  const store = createValueStore(first && isOwn() ? first.list : null)
  const look = () => {
    if (!isOwn()) store.set(null)
  }
  session.subscribe(look)
  lock.subscribe(look)
  return { get: store.get, subscribe: store.subscribe, drop: () => store.set(null) }
}
