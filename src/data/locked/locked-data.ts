/** Data that is encrypted with an earlier password of the user (封印中), for the screens. */
import { lockedRowIds, readLockedRows, discardLocked, isCounted, isOfBytes, sealedIn } from './locked-rows.ts'
import { recoveryWrapOf } from '#data/encryption/recovery.ts'
import type { DataKey } from '#data/encryption/seal.ts'
import { usableKeys, withoutKeys, type StoredKey } from '#data/encryption/stored-keys.ts'
import { createRestorer } from './restore-locked.ts'
import type { Restoring } from './restore-rows.ts'
import { createValueStore, type ValueStore } from '#lib/value-store.ts'
import type { KeyRecords, UserKeys } from '#data/encryption/user-keys.ts'

/**
 * Data encrypted under an earlier password (封印中). The store's value is the number of its changes, photos and drafts.
 */
export interface LockedData extends ValueStore<number> {
  /** Returns how many of these items the operator can recover from the file that `bundle` makes (SV8). */
  recoverable(): number
  /**
   * Returns a file for the operator with the items that the operator can recover. They stay encrypted, and stay on the
   * device as well.
   */
  bundle(): Promise<Blob>
  /**
   * Tries an earlier password.
   *
   * - `all`, `some`: all or some of the data was restored
   * - `waits`: nothing was restored, because the rows also need another earlier password
   * - `typed`: a draft stays locked, because its form contains other text
   * - `spoiled`: the data is damaged
   * - `wrong`: the password opened nothing
   * - `later`: too many wrong passwords; nothing was tried
   */
  open(password: string): Promise<'all' | 'some' | 'waits' | 'typed' | 'spoiled' | 'wrong' | 'later'>
  /** Returns milliseconds until the next password may be tried; 0 if it may be tried now. */
  wait(): number
  discard(): Promise<void>
}

interface LockedDataParts extends Omit<Restoring, 'keys' | 'steps'> {
  indexedDB: IDBFactory
  /** Messages to and from the user's other tabs: the locked data has changed. */
  tabs?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  keys: KeyRecords & Pick<UserKeys<unknown>, 'openedBy'>
  /** Returns date and app version for the first line of the file for the operator. */
  about: () => { made: string; app: string }
}

/**
 * Opens the data that is encrypted under a user's earlier passwords. Rows that the present keys decrypt are restored at
 * once.
 */
export async function openLockedData(options: LockedDataParts): Promise<LockedData> {
  const { indexedDB, keys, tabs, about, report, ...parts } = options
  const user = parts.db.name
  const { wrappedKeys, lockedKeyIds, openKeys } = keysOf(keys, user)
  const counts = countsOf(indexedDB, user, wrappedKeys)
  const { refresh } = counts
  tabs?.addEventListener('message', () => void refresh().catch(report))
  // Callers read `keyIds` before they delete rows, so that a key that another tab locks afterwards stays.
  const discardAll = async (keyIds: ReadonlySet<string>) => {
    await discardLocked(indexedDB, user)
    await keys.change(user, (record) => withoutKeys(record, keyIds))
    await refresh()
  }
  let isOccupied = false
  const restorer = createRestorer({ indexedDB, report, ...parts, occupied: () => (isOccupied = true) })
  const restore = async (dataKeys: readonly DataKey[]) => {
    const keyIds = await lockedKeyIds()
    await restorer.restore(dataKeys)
    if ((await refresh()).length === 0) await discardAll(keyIds)
    tabs?.postMessage('changed')
  }
  // Rows can be decryptable now, because the user has changed the password back or because a restore was interrupted.
  if ((await refresh()).length > 0) await openKeys().then(restore).catch(report)
  return {
    get: counts.get,
    recoverable: counts.recoverable,
    subscribe: counts.subscribe,
    async bundle() {
      const { bundleOf } = await import('./bundle.ts')
      return bundleOf(readLockedRows(indexedDB, user), { user, keys: await wrappedKeys(), ...about() })
    },
    // `limitUnlocking` (app/session/lock/tries) adds the waits.
    wait: () => 0,
    async open(password) {
      const opened = await keys.openedBy(user, password)
      const before = counts.get()
      if (opened.length === 0) {
        // Another tab may have restored all data and deleted the keys meanwhile.
        await refresh()
        return before > 0 && counts.get() === 0 ? 'all' : 'wrong'
      }
      const isSpoiled = await restorer.encryptAnew(await openKeys(), opened)
      isOccupied = false
      await restore([...(await openKeys()), ...opened])
      if (counts.get() === 0) return 'all'
      if (counts.get() < before) return 'some'
      if (isSpoiled) return 'spoiled'
      return isOccupied ? 'typed' : 'waits'
    },
    async discard() {
      await discardAll(await lockedKeyIds())
      tabs?.postMessage('changed')
    },
  }
}

function keysOf(keys: KeyRecords, user: string) {
  const allKeys = async (): Promise<readonly StoredKey[]> => (await keys.record(user))?.keys ?? []
  return {
    wrappedKeys: async () => (await allKeys()).filter((key) => recoveryWrapOf(key)),
    lockedKeyIds: async () => new Set((await allKeys()).flatMap(({ id, usable }) => (usable ? [] : [id]))),
    async openKeys(): Promise<DataKey[]> {
      const record = await keys.record(user)
      return record ? usableKeys(record) : []
    },
  }
}

/**
 * Counts the changes, photos and drafts that are encrypted under earlier passwords.
 * @param wrappedKeys returns the data keys that are also encrypted for the operator
 */
function countsOf(indexedDB: IDBFactory, user: string, wrappedKeys: () => Promise<readonly StoredKey[]>) {
  const counts = createValueStore<[all: number, recoverable: number]>([0, 0])
  const refreshNow = async () => {
    const ids = await lockedRowIds(indexedDB, user)
    let [all, recoverable] = [0, 0]
    if (ids.length === 0) {
      counts.set([all, recoverable])
      return ids
    }
    const keyIds = new Set((await wrappedKeys()).map(({ id }) => id))
    const records = ids.filter((id) => !isOfBytes(id))
    for await (const row of readLockedRows(indexedDB, user, records)) {
      if (!isCounted(row)) continue
      all += 1
      if (sealedIn(row).some(({ key }) => keyIds.has(key))) recoverable += 1
    }
    counts.set([all, recoverable])
    return ids
  }
  let refreshing: Promise<unknown> = Promise.resolve()
  return {
    get: () => counts.get()[0],
    recoverable: () => counts.get()[1],
    subscribe: counts.subscribe,
    /**
     * Counts again. Only one count runs at a time, so that no old result overwrites a new one.
     * @returns the ids of all rows that are encrypted under an earlier password
     */
    refresh(): Promise<string[]> {
      const next = refreshing.then(refreshNow, refreshNow)
      refreshing = next
      return next
    },
  }
}
