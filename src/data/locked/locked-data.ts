/** What of a user is sealed under a password of before (封印中), for the screens. */
import {
  lockedRowIds,
  asideRows,
  discardLocked,
  isCounted,
  isOfBytes,
  sealedIn,
  type LockedRow,
} from './locked-rows.ts'
import { recoveryWrapOf } from '#data/encryption/recovery.ts'
import type { DataKey } from '#data/encryption/seal.ts'
import { withoutKeys, type StoredKey } from '#data/encryption/stored-keys.ts'
import { givingBack } from './give-back.ts'
import type { TakeBack } from './take-back.ts'
import type { UserKeys } from '#data/encryption/user-keys.ts'

export interface LockedData {
  /** How many of what a user would call one thing. */
  get(): number
  subscribe(listener: () => void): () => void
  /** How many of them whoever operates the app can open, from a bundle (SV8). */
  recoverable(): number
  /** These, as they lie, in a file for whoever operates the app; all of it stays here. */
  bundle(): Promise<Blob>
  /**
   * @returns `all`, `some`: that much is back where it belongs; `waits`: what this password opened also needs another
   * earlier password; `typed`: other text was typed into its form since, and stays; `spoiled`: it is damaged; `wrong`: this
   * password opened nothing; `later`: after wrong ones, nothing was tried
   */
  open(password: string): Promise<'all' | 'some' | 'waits' | 'typed' | 'spoiled' | 'wrong' | 'later'>
  /** Milliseconds until a password may be tried; 0: now. */
  wait(): number
  /** All of it is gone for good. */
  discard(): Promise<void>
}

interface Parts extends Omit<TakeBack, 'keys' | 'steps'> {
  indexedDB: IDBFactory
  /** To the user's other tabs: what lies aside is another now. */
  tabs?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  keys: Pick<UserKeys<unknown>, 'openedBy' | 'change' | 'record'>
  /** What a bundle says of its making. */
  about: () => { made: string; app: string }
}

export async function openLockedData({
  indexedDB,
  keys,
  tabs,
  about,
  report,
  ...parts
}: Parts): Promise<LockedData> {
  const user = parts.db.name
  const own = keysNow(keys, user)
  const standing = standingOf(indexedDB, user, own.wrapped)
  const { look } = standing
  tabs?.addEventListener('message', () => void look().catch(report))
  /** @param ids of the keys of what lay aside, as it was known before: another tab may log out meanwhile */
  const end = async (ids: ReadonlySet<string>) => {
    await discardLocked(indexedDB, user)
    await keys.change(user, (record) => withoutKeys(record, ids))
    await look()
  }
  let isOccupied = false
  const giving = givingBack({ indexedDB, report, ...parts, occupied: () => (isOccupied = true) })
  const take = async (keyRing: readonly DataKey[]) => {
    const ids = await own.locked()
    await giving.take(keyRing)
    if ((await look()).length === 0) await end(ids)
    tabs?.postMessage('changed')
  }
  // a password was changed back: what it sealed has its key again; or a giving back was cut short
  if ((await look()).length > 0) await own.usable().then(take).catch(report)
  return {
    get: standing.get,
    recoverable: standing.recoverable,
    subscribe: standing.subscribe,
    bundle: async () => bundled(indexedDB, { user, keys: await own.wrapped(), ...about() }),
    wait: () => 0,
    async open(password) {
      const opened = await keys.openedBy(user, password)
      const before = standing.get()
      if (opened.length === 0) {
        // another tab may have opened it: its keys are gone then, and what this one shows is not there any more
        await look()
        return before > 0 && standing.get() === 0 ? 'all' : 'wrong'
      }
      const isSpoiled = await giving.sealAnew(await own.usable(), opened)
      isOccupied = false
      await take([...(await own.usable()), ...opened])
      if (standing.get() === 0) return 'all'
      if (standing.get() < before) return 'some'
      if (isSpoiled) return 'spoiled'
      return isOccupied ? 'typed' : 'waits'
    },
    async discard() {
      await end(await own.locked())
      tabs?.postMessage('changed')
    },
  }
}

/** A file of all locked rows, still encrypted. */
async function bundled(indexedDB: IDBFactory, of: Parameters<typeof import('./bundle.ts').bundleOf>[1]) {
  const { bundleOf } = await import('./bundle.ts')
  return bundleOf(asideRows(indexedDB, of.user, await lockedRowIds(indexedDB, of.user)), of)
}

/** What lies aside, as it was when it was last looked at. */
function standingOf(indexedDB: IDBFactory, user: string, wrapped: () => Promise<readonly StoredKey[]>) {
  let [count, recoverable] = [0, 0]
  const listeners = new Set<() => void>()
  const lookNow = async () => {
    const ids = await lockedRowIds(indexedDB, user)
    const known = new Set((await wrapped()).map(({ id }) => id))
    const records = ids.filter((id) => !isOfBytes(id))
    ;[count, recoverable] = await counted(asideRows(indexedDB, user, records), known)
    for (const listener of listeners) listener()
    return ids
  }
  let looking: Promise<unknown> = Promise.resolve()
  return {
    get: () => count,
    recoverable: () => recoverable,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** One look after the other: what was read first is never told last. @returns the ids of what lies aside */
    look(): Promise<string[]> {
      const next = looking.then(lookNow, lookNow)
      looking = next
      return next
    },
  }
}

/** The user's keys as they are kept at the moment. */
function keysNow(keys: Pick<UserKeys<unknown>, 'record'>, user: string) {
  const all = async (): Promise<readonly StoredKey[]> => (await keys.record(user))?.keys ?? []
  return {
    wrapped: async () => (await all()).filter((key) => recoveryWrapOf(key)),
    locked: async () => new Set((await all()).flatMap(({ id, usable }) => (usable ? [] : [id]))),
    /** The one that is sealed with first. */
    usable: async (): Promise<DataKey[]> => {
      const { current, keys: known = [] } = (await keys.record(user)) ?? {}
      const found = known.flatMap(({ id, usable }) => (usable ? [{ id, key: usable }] : []))
      return [...found.filter(({ id }) => id === current), ...found.filter(({ id }) => id !== current)]
    },
  }
}

/** @param wrapped keys that a recovery key opens @returns how many there are, and how many of these keys */
async function counted(
  records: AsyncIterable<LockedRow>,
  wrapped: ReadonlySet<string>,
): Promise<[all: number, recoverable: number]> {
  let [all, recoverable] = [0, 0]
  for await (const each of records) {
    if (!isCounted(each)) continue
    all += 1
    if (sealedIn(each).some(({ key }) => wrapped.has(key))) recoverable += 1
  }
  return [all, recoverable]
}
