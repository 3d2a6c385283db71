/** What of a user is sealed under a password of before (封印中), for the screens. */
import { asideRows, countAside, discardAside, takenBack } from './set-aside.ts'
import { isUsable, type StoredKeys } from './stored-keys.ts'
import { takeBack, type TakeBack } from './take-back.ts'
import { isLocked } from './unlock.ts'
import type { UserKeys } from './user-keys.ts'

export interface Aside {
  /** How many of what a user would call one thing. */
  get(): number
  subscribe(listener: () => void): () => void
  /** @returns whether the password opened some of it; that is back where it belongs then */
  open(password: string): Promise<boolean>
  /** All of it is gone for good. */
  discard(): Promise<void>
}

interface Parts extends Omit<TakeBack, 'keys' | 'steps'> {
  indexedDB: IDBFactory
  keys: Pick<UserKeys<unknown>, 'openedBy' | 'change'>
}

export async function openAside({ indexedDB, keys, ...parts }: Parts): Promise<Aside> {
  const user = parts.db.name
  let count = 0
  const listeners = new Set<() => void>()
  const look = async () => {
    const rows = await asideRows(indexedDB, user)
    count = countAside(rows)
    for (const listener of listeners) listener()
    return rows
  }
  const end = async () => {
    await discardAside(indexedDB, user)
    await keys.change(user, withoutUnused)
    await look()
  }
  await look()
  return {
    get: () => count,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async open(password) {
      const opened = await keys.openedBy(user, password)
      if (opened.length === 0) return false
      const { steps } = await import('#schemas/migrations/steps.ts')
      const ids = await takeBack(await asideRows(indexedDB, user), { ...parts, keys: opened, steps })
      await takenBack(indexedDB, user, ids)
      const left = await look()
      if (left.length === 0) await end()
      return true
    },
    discard: end,
  }
}

/** While all of them are locked nobody knows which are of use. */
const withoutUnused = (record: StoredKeys): StoredKeys | null =>
  isLocked(record) ? null : { ...record, keys: record.keys.filter(isUsable) }
