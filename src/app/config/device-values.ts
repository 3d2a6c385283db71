/** Values of this device that survive a killed browser (decisions/encryption), read once before the first paint. */
import { del, entries, get, set, type UseStore } from 'idb-keyval'
import { scoped } from '#lib/browser/crm-scope.ts'
import { strictStore } from '#lib/browser/strict-store.ts'

/**
 * `lock`: delay of the screen lock. `lock-chosen`: set if the user has chosen one. `lock-tries`, `sealed-tries`: wrong
 * passwords in a row for the screen lock and for 封印中. `time`: trusted time, never set to an earlier one (EX3).
 */
export type DeviceValueName = 'lock' | 'lock-chosen' | 'lock-tries' | 'sealed-tries' | 'time'

export type DeviceValues = Awaited<ReturnType<typeof openDeviceValues>>

const KEY_PREFIX = 'device:'

/** One database holds the device values and the session, so that the first paint waits for one database only. */
export const deviceStore = (): UseStore => strictStore('genba-device', 'values')

export const isLockSet = async (store: UseStore): Promise<boolean> =>
  (await get<unknown>(`${KEY_PREFIX}lock`, store)) !== undefined

export async function openDeviceValues({
  store = deviceStore(),
  channel = new BroadcastChannel('genba-device-values'),
}: {
  store?: UseStore
  channel?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
} = {}) {
  const values = new Map<string, string>()
  const listeners = new Set<() => void>()
  const setInMemory = (key: string, text: string | null) => {
    if (text === null) values.delete(key)
    else values.set(key, text)
  }
  const notify = () => {
    for (const listener of listeners) listener()
  }
  channel.addEventListener('message', ({ data }) => {
    const { key, text } = data as { key: string; text: string | null }
    setInMemory(key, text)
    notify()
  })
  for (const [key, text] of await entries<IDBValidKey, unknown>(store))
    if (typeof key === 'string' && key.startsWith(KEY_PREFIX) && typeof text === 'string')
      values.set(key, text)
  const keyOf = (name: DeviceValueName, scope: string) => scoped(`${KEY_PREFIX}${name}`, scope)
  return {
    get: (name: DeviceValueName, scope = '') => values.get(keyOf(name, scope)) ?? null,
    /** Writes a value and calls the listeners; null removes it. Resolves once the value is on disk. */
    async set(name: DeviceValueName, text: string | null, scope = ''): Promise<void> {
      const key = keyOf(name, scope)
      const before = values.get(key) ?? null
      setInMemory(key, text)
      try {
        await (text === null ? del(key, store) : set(key, text, store))
      } catch (error) {
        if ((values.get(key) ?? null) === text) setInMemory(key, before)
        throw error
      }
      channel.postMessage({ key, text })
      notify()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
