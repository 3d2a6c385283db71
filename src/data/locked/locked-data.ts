/** A user's data that is encrypted under an earlier password (封印中), as screens use it. */
import {
  lockedRowIds,
  readLockedRows,
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
import { createValueStore, type ValueStore } from '#lib/value-store.ts'
import type { KeyRecords, UserKeys } from '#data/encryption/user-keys.ts'

/** Its value is the number of locked items, counted as a user would: saved changes, photos, drafts. */
export interface LockedData extends ValueStore<number> {
  /** The number of them that the operator's recovery key can open from a bundle (SV8). */
  recoverable(): number
  /**
   * A file with the recoverable items, still encrypted, for the operator. The items also stay on the device.
   */
  bundle(): Promise<Blob>
  /**
   * Tries an earlier password.
   *
   * - `all`, `some`: this much is restored
   * - `waits`: what this password opened also needs another earlier password
   * - `typed`: the form contains other text by now; the draft stays locked
   * - `spoiled`: the data is damaged
   * - `wrong`: the password opened nothing
   * - `later`: too many wrong passwords; nothing was tried
   */
  open(password: string): Promise<'all' | 'some' | 'waits' | 'typed' | 'spoiled' | 'wrong' | 'later'>
  /** Milliseconds until the next password may be tried; 0 means now. */
  wait(): number
  /** Deletes all locked data for good. */
  discard(): Promise<void>
}

interface LockedDataParts extends Omit<TakeBack, 'keys' | 'steps'> {
  indexedDB: IDBFactory
  /** Channel to the user's other tabs, for the message that the locked data has changed. */
  tabs?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  keys: KeyRecords & Pick<UserKeys<unknown>, 'openedBy'>
  /** Date and app version for the head of a bundle. */
  about: () => { made: string; app: string }
}

/** Opens a user's locked data, and first restores what the current keys already open. */
export async function openLockedData({
  indexedDB,
  keys,
  tabs,
  about,
  report,
  ...parts
}: LockedDataParts): Promise<LockedData> {
  const user = parts.db.name
  const own = keysNow(keys, user)
  const counts = countsOf(indexedDB, user, own.wrapped)
  const { refresh } = counts
  tabs?.addEventListener('message', () => void refresh().catch(report))
  // `ids` are the ids of the keys, read beforehand, because another tab may log out meanwhile.
  const end = async (ids: ReadonlySet<string>) => {
    await discardLocked(indexedDB, user)
    await keys.change(user, (record) => withoutKeys(record, ids))
    await refresh()
  }
  let isOccupied = false
  const restoring = givingBack({ indexedDB, report, ...parts, occupied: () => (isOccupied = true) })
  const restore = async (keyRing: readonly DataKey[]) => {
    const ids = await own.locked()
    await restoring.take(keyRing)
    if ((await refresh()).length === 0) await end(ids)
    tabs?.postMessage('changed')
  }
  // A password may have been changed back, so its key is known again; or restoring was interrupted.
  if ((await refresh()).length > 0) await own.usable().then(restore).catch(report)
  return {
    get: counts.get,
    recoverable: counts.recoverable,
    subscribe: counts.subscribe,
    bundle: async () => bundled(indexedDB, { user, keys: await own.wrapped(), ...about() }),
    wait: () => 0,
    async open(password) {
      const opened = await keys.openedBy(user, password)
      const before = counts.get()
      if (opened.length === 0) {
        // Another tab may have restored the data, so its keys are deleted and this tab's count is out of
        // date.
        await refresh()
        return before > 0 && counts.get() === 0 ? 'all' : 'wrong'
      }
      const isSpoiled = await restoring.sealAnew(await own.usable(), opened)
      isOccupied = false
      await restore([...(await own.usable()), ...opened])
      if (counts.get() === 0) return 'all'
      if (counts.get() < before) return 'some'
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
  return bundleOf(readLockedRows(indexedDB, of.user, await lockedRowIds(indexedDB, of.user)), of)
}

/** Counts of the locked data, as of the last refresh. */
function countsOf(indexedDB: IDBFactory, user: string, wrapped: () => Promise<readonly StoredKey[]>) {
  const counts = createValueStore<[all: number, recoverable: number]>([0, 0])
  const refreshNow = async () => {
    const ids = await lockedRowIds(indexedDB, user)
    const known = new Set((await wrapped()).map(({ id }) => id))
    const records = ids.filter((id) => !isOfBytes(id))
    counts.set(await counted(readLockedRows(indexedDB, user, records), known))
    return ids
  }
  let refreshing: Promise<unknown> = Promise.resolve()
  return {
    get: () => counts.get()[0],
    recoverable: () => counts.get()[1],
    subscribe: counts.subscribe,
    /**
     * Counts again, one refresh at a time, so that an earlier read never overwrites a later one.
     * @returns the ids of all locked rows
     */
    refresh(): Promise<string[]> {
      const next = refreshing.then(refreshNow, refreshNow)
      refreshing = next
      return next
    },
  }
}

function keysNow(keys: KeyRecords, user: string) {
  const all = async (): Promise<readonly StoredKey[]> => (await keys.record(user))?.keys ?? []
  return {
    wrapped: async () => (await all()).filter((key) => recoveryWrapOf(key)),
    locked: async () => new Set((await all()).flatMap(({ id, usable }) => (usable ? [] : [id]))),
    /** Keys that can be used; the current one is first. */
    usable: async (): Promise<DataKey[]> => {
      const { current, keys: known = [] } = (await keys.record(user)) ?? {}
      const found = known.flatMap(({ id, usable }) => (usable ? [{ id, key: usable }] : []))
      return [...found.filter(({ id }) => id === current), ...found.filter(({ id }) => id !== current)]
    },
  }
}

/**
 * Counts the items and the recoverable ones among them.
 * @param wrapped ids of keys that a recovery key opens
 */
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
