/**
 * Locked data of a user (封印中), for the screens: the stores of keys that a changed password has replaced. The earlier
 * password makes such a key usable; what is unsent in its stores is then saved into the present stores
 * (`take-over.ts`):
 *
 *     password ─→ key usable, on disk ─→ taken over ─→ stores deleted ─→ key removed
 *                  └ killed: the next start continues, without the password unless the user has logged out
 */
import type { LockedData } from '#data/context/app-context.tsx'
import { databaseNames } from '#data/database/collection-stores.ts'
import { aloneWithData, isOpen, type DataLocks } from '#data/database/data-lock.ts'
import { storesName, storesNamed, userOf } from '#data/database/database-name.ts'
import { recoveryWrapOf } from '#data/encryption/recovery.ts'
import { keyOfStores, type StoredKeys } from '#data/encryption/stored-keys.ts'
import type { KeyRecords, UserKeys } from '#data/encryption/user-keys.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { Stays, TakeOver } from './take-over.ts'

interface LockedDataParts extends TakeOver {
  locks: DataLocks
  keys: KeyRecords & Pick<UserKeys<unknown>, 'openEarlier'>
  tabs?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  about: () => { made: string; app: string }
  /** Milliseconds for which opening waits for the earlier stores. */
  patienceMs?: number
}

type Code = typeof import('./take-over.ts')
/** Milliseconds to wait for a tab that still has the stores open, and for a browser that does not answer. */
const PATIENCE_MS = 5_000

/**
 * Opens a user's locked data. Stores whose key is usable are taken over at once. WebKit may never answer a request to a
 * database (decisions/storage), so after `patienceMs` the user works on while the earlier stores are still being read.
 */
export async function openLockedData(parts: LockedDataParts): Promise<LockedData> {
  const { db, indexedDB, locks, keys, tabs, about, report, patienceMs = PATIENCE_MS } = parts
  const user = userOf(db.name)
  const names = () => lockedNames(parts)
  const counts = countsOf(parts, names)
  tabs?.addEventListener('message', () => void counts.refresh().catch(report))
  const reasons = new Set<Stays>()
  const stays = () => (reasons.has('spoiled') ? 'spoiled' : reasons.has('typed') ? 'typed' : null)
  const takeOver = async (name: string) => {
    for (const each of await takenOver(parts, name)) reasons.add(each)
  }
  const changed = async () => {
    await counts.refresh()
    tabs?.postMessage('changed')
  }
  const takeAllOver = async () => {
    for (const name of await names()) if (!(await isOpen(locks, name))) await takeOver(name).catch(report)
    await counts.refresh()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((done) => (timer = setTimeout(done, patienceMs)))
  await Promise.race([takeAllOver(), late]).finally(() => clearTimeout(timer))
  return {
    get: counts.get,
    subscribe: counts.subscribe,
    recoverable: counts.recoverable,
    async bundle() {
      const [{ bundleOf }, { allLocked }] = await Promise.all([
        import('./bundle.ts'),
        import('./locked-rows.ts'),
      ])
      const record = await keys.record(user)
      return bundleOf(allLocked(indexedDB, await names()), { user, keys: record?.keys ?? [], ...about() })
    },
    stays,
    // `limitUnlocking` (app/session/lock/tries) adds the waits.
    wait: () => 0,
    async open(password) {
      const before = counts.get()
      const opened = await keys.openEarlier(user, password)
      reasons.clear()
      for (const id of opened) await takeOver(storesName(user, id))
      await changed()
      const left = counts.get()
      if (left === 0) return before > 0 || opened.length > 0 ? 'all' : 'wrong'
      return left < before ? 'some' : (stays() ?? 'wrong')
    },
    async discard() {
      for (const name of await names()) await alone(parts, name, (code) => code.discardLocked(parts, name))
      await changed()
    },
  }
}

/** Runs while no tab has the locked stores open. @param run returns false if no data remains; then the key goes too */
const alone = (parts: LockedDataParts, name: string, run: (code: Code) => Promise<boolean>): Promise<void> =>
  aloneWithData(
    parts.locks,
    name,
    async () => {
      // A login may have made the key the present one.
      const isLeft = !(await lockedNames(parts)).includes(name) || (await run(await import('./take-over.ts')))
      if (!isLeft) await parts.keys.change(userOf(name), (record) => withoutKeyOf(record, name))
    },
    { waits: () => undefined, patienceMs: PATIENCE_MS },
  )

/** Takes locked stores over if their key is usable. @returns why something stays */
async function takenOver(parts: LockedDataParts, name: string): Promise<ReadonlySet<Stays>> {
  let stays: ReadonlySet<Stays> = new Set()
  await alone(parts, name, async (code) => {
    const { id = '', usable } = keyOfStores(await parts.keys.record(userOf(name)), name) ?? {}
    if (!usable) return code.leaveLocked(parts, name)
    stays = await code.takeOver(parts, name, { id, key: usable })
    return stays.size > 0
  })
  return stays
}

/** Returns the names of all stores of the user but the present ones, also of keys whose stores are empty. */
async function lockedNames({ db, indexedDB, keys }: LockedDataParts): Promise<string[]> {
  const user = userOf(db.name)
  const record = await keys.record(user)
  const ofKeys = record?.keys.map(({ id }) => storesName(user, id)) ?? []
  const all = new Set([...ofKeys, ...storesNamed(await databaseNames(indexedDB), user)])
  all.delete(db.name)
  if (record) all.delete(storesName(user, record.current))
  return [...all]
}

const withoutKeyOf = (record: StoredKeys, stores: string): StoredKeys => {
  const key = keyOfStores(record, stores)
  return { ...record, keys: record.keys.filter((each) => each !== key || each.id === record.current) }
}

/** Counts the locked changes, photos and drafts, and how many of them the operator's key opens. */
function countsOf({ db, indexedDB, keys }: LockedDataParts, names: () => Promise<string[]>) {
  const counts = createValueStore<[all: number, recoverable: number]>([0, 0])
  const count = async () => {
    const record = await keys.record(userOf(db.name))
    let [all, recoverable] = [0, 0]
    for (const name of await names()) {
      const { lockedRows, isCounted } = await import('./locked-rows.ts')
      const counted = (await lockedRows(indexedDB, name)).filter(isCounted).length
      const key = keyOfStores(record, name)
      all += counted
      if (key && recoveryWrapOf(key)) recoverable += counted
    }
    counts.set([all, recoverable])
  }
  let counting: Promise<unknown> = Promise.resolve()
  return {
    get: () => counts.get()[0],
    recoverable: () => counts.get()[1],
    subscribe: counts.subscribe,
    /** Counts again, one count at a time, so that no old result overwrites a new one. */
    refresh(): Promise<void> {
      const next = counting.then(count, count)
      counting = next
      return next
    },
  }
}
