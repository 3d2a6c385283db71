/** What of a user's stores is sealed and how, from their opening to their close (decision 0075). */
import { whenIdle } from '#sync/lib/yield-to-screen.ts'
import { withoutData, type DataLocks } from '#data/data-lock.ts'
import { rxSchemas } from '#schemas/collections.ts'
import { moved } from '#schemas/migrations/moved.ts'
import {
  isMarkedSealed,
  markSealed,
  standingOf,
  storedLayout,
  versionsOf,
} from '#data/layout/stored-layout.ts'
import { createSealer, withoutCurrent, type Sealer } from '#data/seal/key-ring.ts'
import { sealStores } from '#data/seal/seal-stores.ts'
import { asideIds } from '#data/seal/aside-rows.ts'
import { SealError } from '#data/seal/seal.ts'
import { setAside } from '#data/seal/set-aside.ts'
import { withoutKeys } from '#data/seal/stored-keys.ts'
import { isLocked } from '#data/seal/unlock.ts'
import type { Keys } from './keys.ts'

interface Parts {
  /** Name of the user's database. */
  name: string
  keys: Keys
  locks: DataLocks
}

interface OpenedSealer {
  sealer: Sealer
  /** No key stays in this page's memory. */
  forget: () => void
}

/**
 * Before the stores are read. Nothing is sealed before builds from before sealing leave the stores alone, and they are told
 * so only while no tab has them open, for it may be a tab of such a build (SV3).
 * @param makeEmpty makes the user's database where there is none
 * @throws SealError where there is a key that cannot be used: the user logs in again
 */
export async function openSealer(parts: Parts & { makeEmpty: () => Promise<void> }): Promise<OpenedSealer> {
  const { name, keys, locks } = parts
  const ring = keys.ring(name)
  const isMarked = () => isMarkedSealed(indexedDB, name)
  const isToSetAside = async () => (await keys.record(name))?.isToSetAside === true
  const [key, wasBegun] = await Promise.all([ring.current(), isMarked()])
  let isFirstTry = key !== null && !wasBegun
  const isWanted = async () => {
    const isTried = !isFirstTry
    isFirstTry = false
    return (await isToSetAside()) || (!isTried && !(await isMarked()))
  }
  await withoutData(locks, name, () => begin(parts), isWanted)
  const isBegun = await isMarked()
  // another tab has the stores open, which does not happen before the first login of a key
  if (isBegun && (await isToSetAside())) throw new Error('the stores are open in another tab')
  // what another tab begins is sealed here from the next opening on
  return { sealer: createSealer(crypto, isBegun ? ring : withoutCurrent(ring)), forget: ring.forget }
}

/** What no key opens is set aside, and the stores are marked. */
async function begin({ name, keys, makeEmpty }: Parameters<typeof openSealer>[0]): Promise<void> {
  const record = await keys.record(name)
  // a logout or a lock since then: what the user's password opens is nothing to set aside
  if (isLocked(record)) throw new SealError('no-key', 'keys')
  const all = record?.keys ?? []
  const usable = new Set(all.flatMap(({ id, usable: key }) => (key ? [id] : [])))
  const locked = new Set(all.flatMap(({ id }) => (usable.has(id) ? [] : [id])))
  await setAside({ indexedDB, ranges: IDBKeyRange, user: name, isOpen: (id) => usable.has(id) })
  const standing = standingOf(await storedLayout(indexedDB, name), versionsOf({ schemas: rxSchemas, moved }))
  // what is to be migrated is sealed from the next start on
  if (standing === 'same' && !(await markSealed(indexedDB, name))) {
    await makeEmpty()
    await markSealed(indexedDB, name)
  }
  const isAny = (await asideIds(indexedDB, name)).length > 0
  await keys.change(name, (now) => ({
    // keys that nothing is sealed with
    ...(isAny ? now : withoutKeys(now, locked)),
    // a login meanwhile may have made another key
    isToSetAside: now.isToSetAside && now.current !== record?.current,
  }))
}

interface Later extends Parts {
  sealer: Sealer
  drawn: Promise<void>
  /** Told of each login. */
  sessions: { subscribe(listener: () => void): () => void }
  report: (problem: string) => void
}

/** What lay there before there was a key is sealed when nothing else is to be done, by one tab. @returns what ends it */
export function sealLater(parts: Later): () => Promise<void> {
  const { name, keys, sealer, drawn, locks, sessions, report } = parts
  const ended = new AbortController()
  const { signal } = ended
  const run = async () => {
    const record = await keys.record(name)
    if (signal.aborted || !record || record.allSealed) return
    const stores = { indexedDB, ranges: IDBKeyRange, user: name, sealer, idle: whenIdle, signal }
    const seal = async () => {
      if (await sealStores(stores)) await keys.change(name, (now) => ({ ...now, allSealed: true }))
    }
    if (!locks) return seal()
    await locks.request(`genba-seal-${name}`, { ifAvailable: true }, (lock) => (lock ? seal() : undefined))
  }
  let begun = Promise.resolve()
  const queue = () => {
    begun = begun.then(run).catch((error: unknown) => report(String(error)))
  }
  void drawn.then(queue)
  const stop = sessions.subscribe(queue)
  return async () => {
    stop()
    ended.abort()
    await begun
  }
}
