/**
 * Keeps unlocked keys in memory while a screen lock is set. The disk then has only encrypted keys, so that an app that
 * was closed or killed asks for the password. An open page passes its keys to a page that starts.
 *
 *     unlock, login ─→ memory of this page ─→ sent to other pages
 *     start ─→ asks other pages ─→ receives the keys, or is locked
 *
 * If the app is killed while the lock is being set, unlocked keys stay on the disk. They are ignored, and the next
 * start removes them.
 */
import { isUsable, lockedKey, type KeyStore, type StoredKey, type StoredKeys } from './stored-keys.ts'

export const UNLOCKED_KEYS_CHANNEL = 'genba-held-keys'
/** Maximum time for which a start waits for keys from other pages. */
const ANSWER_MS = 300

interface UnlockedKeys {
  isLockSet: () => Promise<boolean>
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  /** False in a service worker: it gets keys but never passes them on, because it can outlive the app's pages. */
  gives?: boolean
}

export interface UnlockedKeyStore extends KeyStore {
  /** Removes unlocked keys from the disk if a screen lock is set. Keys in memory stay. */
  lockDisk(): Promise<void>
}

type Unlocked = ReadonlyMap<string, StoredKey>
type Message = { kind: 'ask' } | { kind: 'held'; user: string; keys: readonly StoredKey[] }

/** Wraps a key store. While a screen lock is set, unlocked keys are kept in memory and not on disk. */
export function unlockedKeys(store: KeyStore, parts: UnlockedKeys): UnlockedKeyStore {
  const { isLockSet, channel, gives = true } = parts
  const users = new Map<string, Unlocked>()
  let answered: () => void = () => undefined
  const send = (user: string) => {
    const keys = [...(users.get(user)?.values() ?? [])]
    if (gives) channel.postMessage({ kind: 'held', user, keys } satisfies Message)
  }
  const remember = (user: string, keys: readonly StoredKey[]) => {
    users.set(user, new Map(keys.filter(isUsable).map((key) => [key.id, key])))
  }
  channel.addEventListener('message', ({ data }) => {
    const message = data as Message
    if (message.kind === 'held') {
      remember(message.user, message.keys)
      answered()
    } else for (const [user, ownKeys] of users) if (ownKeys.size > 0) send(user)
  })
  let asking: Promise<void> | undefined
  const ask = () =>
    (asking ??= new Promise((resolve) => {
      answered = resolve
      setTimeout(resolve, ANSWER_MS)
      channel.postMessage({ kind: 'ask' } satisfies Message)
    }))
  /** Adds the unlocked keys in memory to a record. Unlocked keys on disk are ignored while a lock is set. */
  const withUnlocked = async (user: string, record: StoredKeys): Promise<StoredKeys> => {
    if (!(await isLockSet())) return record
    if (!users.get(user)?.size) await ask()
    const ownKeys = users.get(user)
    return { ...record, keys: record.keys.map((key) => withUnlockedParts(key, ownKeys?.get(key.id))) }
  }
  return {
    async get(user) {
      const record = await store.get(user)
      return record && withUnlocked(user, record)
    },
    async set(user, record) {
      const isLockOn = await isLockSet()
      await store.set(user, isLockOn ? withoutUnlocked(record) : record)
      remember(user, isLockOn ? record.keys : [])
      send(user)
    },
    async remove(user) {
      await store.remove(user)
      remember(user, [])
      send(user)
    },
    async all() {
      const withKeys = async ([user, record]: [string, StoredKeys]): Promise<[string, StoredKeys]> => [
        user,
        await withUnlocked(user, record),
      ]
      return Promise.all((await store.all()).map(withKeys))
    },
    lockDisk: async () => ((await isLockSet()) ? lockAll(store) : undefined),
  }
}

const withoutUnlocked = (record: StoredKeys): StoredKeys => ({ ...record, keys: record.keys.map(lockedKey) })

async function lockAll(store: KeyStore): Promise<void> {
  for (const [user, record] of await store.all())
    if (record.keys.some(isUsable)) await store.set(user, withoutUnlocked(record))
}

/**
 * Adds the unlocked key from memory to the same key on disk. The encrypted copies come from the disk, because those in
 * memory may be outdated.
 */
function withUnlockedParts(key: StoredKey, inMemory: StoredKey | undefined): StoredKey {
  if (!inMemory) return lockedKey(key)
  const { wraps: _wraps, ...unlockedParts } = inMemory
  return { ...unlockedParts, ...lockedKey(key) }
}
