/**
 * Where a lock of the screen is set, what opens a user's keys is in the memory of the app's pages alone: the disk has the
 * keys wrapped, and an app that was closed or killed asks for the password again. An open page gives them to one that starts.
 *
 *     unlock, login ─→ memory of this page ─→ told to the others;   start ─→ asks the others ─→ has them, or is locked
 */
import { isUsable, lockedKey, type KeyStore, type StoredKey, type StoredKeys } from './stored-keys.ts'

export const UNLOCKED_KEYS_CHANNEL = 'genba-held-keys'
/** So long a start waits for the other pages; what none gives is asked of the user. */
const ANSWER_MS = 300

interface HeldKeys {
  /** Whether a lock is set, as the disk has it. */
  isLockSet: () => Promise<boolean>
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  /** A worker asks, and gives nothing: it outlives the app's pages. */
  gives?: boolean
}

/** What of a key opens, by its id. */
type Held = ReadonlyMap<string, StoredKey>
type Message = { kind: 'ask' } | { kind: 'held'; user: string; keys: readonly StoredKey[] }

export function unlockedKeys(store: KeyStore, { isLockSet, channel, gives = true }: HeldKeys): KeyStore {
  const users = new Map<string, Held>()
  let answered: () => void = () => undefined
  const tell = (user: string) => {
    if (gives) channel.postMessage(messageOf(user, users))
  }
  const hold = (user: string, keys: readonly StoredKey[]) => {
    users.set(user, new Map(keys.filter(isUsable).map((key) => [key.id, key])))
  }
  channel.addEventListener('message', ({ data }) => {
    const message = data as Message
    if (message.kind === 'held') {
      hold(message.user, message.keys)
      answered()
    } else for (const [user, held] of users) if (held.size > 0) tell(user)
  })
  let asking: Promise<void> | undefined
  const ask = () =>
    (asking ??= new Promise((resolve) => {
      answered = resolve
      setTimeout(resolve, ANSWER_MS)
      channel.postMessage({ kind: 'ask' } satisfies Message)
    }))
  /** What lies on the disk opens nothing here: a lock was set in the moment before the app was killed. */
  const withHeld = async (user: string, record: StoredKeys): Promise<StoredKeys> => {
    if (!(await isLockSet())) return record
    if (!users.get(user)?.size) await ask()
    const held = users.get(user)
    return { ...record, keys: record.keys.map((key) => opened(lockedKey(key), held?.get(key.id))) }
  }
  return {
    async get(user) {
      const record = await store.get(user)
      return record && withHeld(user, record)
    },
    async set(user, record) {
      const isHeld = await isLockSet()
      await store.set(user, isHeld ? { ...record, keys: record.keys.map(lockedKey) } : record)
      hold(user, isHeld ? record.keys : [])
      tell(user)
    },
    async remove(user) {
      await store.remove(user)
      hold(user, [])
      tell(user)
    },
    async all() {
      const found = await store.all()
      return Promise.all(
        found.map(async ([user, record]): Promise<[string, StoredKeys]> => [
          user,
          await withHeld(user, record),
        ]),
      )
    },
  }
}

const messageOf = (user: string, users: ReadonlyMap<string, Held>): Message => ({
  kind: 'held',
  user,
  keys: [...(users.get(user)?.values() ?? [])],
})

/** @param held the key as it was when it was opened: another wrapping may lie on the disk since */
function opened(key: StoredKey, held: StoredKey | undefined): StoredKey {
  const { usable, opener, passkeyOpener } = held ?? {}
  return {
    ...key,
    ...(usable && { usable }),
    ...(opener && { opener }),
    ...(passkeyOpener && { passkeyOpener }),
  }
}
