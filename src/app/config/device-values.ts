/**
 * Small values of this device that must survive a killed browser (decisions/encryption): read once before the first paint, on
 * disk when a write resolves, and posted to all tabs. Values that may be lost are in localStorage (docs/security.md).
 */
import { del, entries, get, set, type UseStore } from 'idb-keyval'
import { scoped } from '#lib/browser/crm-scope.ts'
import { strictStore } from '#lib/browser/strict-store.ts'

/**
 * `lock`: the lock's delay; `lock-chosen`: the user has chosen one; `lock-tries`, `sealed-tries`: wrong passwords in a row;
 * `time`: the trusted time with the marks of days.
 */
export type DeviceValueName = 'lock' | 'lock-chosen' | 'lock-tries' | 'sealed-tries' | 'time'

export interface DeviceValues {
  /** The value last written in any tab. */
  get(name: DeviceValueName, scope?: string): string | null
  /** Resolves once it is on disk; `get` of this page returns it at once, listeners run then. @param text null: removes it */
  set(name: DeviceValueName, text: string | null, scope?: string): Promise<void>
  subscribe(listener: () => void): () => void
}

interface DeviceValuesParts {
  store?: UseStore
  channel?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
}

const START = 'device:'

/** Contains the session, too: the first paint waits for one database only. */
export const deviceStore = (): UseStore => strictStore('genba-device', 'values')

/** The lock's state on disk. */
export const isLockSet = async (store: UseStore): Promise<boolean> =>
  (await get<unknown>(`${START}lock`, store)) !== undefined

export async function openDeviceValues({
  store = deviceStore(),
  channel = new BroadcastChannel('genba-device-values'),
}: DeviceValuesParts = {}): Promise<DeviceValues> {
  const known = new Map<string, string>()
  const listeners = new Set<() => void>()
  const note = (key: string, text: string | null) => {
    if (text === null) known.delete(key)
    else known.set(key, text)
  }
  const notify = () => {
    for (const listener of listeners) listener()
  }
  channel.addEventListener('message', ({ data }) => {
    const { key, text } = data as { key: string; text: string | null }
    note(key, text)
    notify()
  })
  for (const [key, text] of await entries<IDBValidKey, unknown>(store))
    if (typeof key === 'string' && key.startsWith(START) && typeof text === 'string') known.set(key, text)
  const keyOf = (name: DeviceValueName, scope: string) => scoped(`${START}${name}`, scope)
  return {
    get: (name, scope = '') => known.get(keyOf(name, scope)) ?? null,
    async set(name, text, scope = '') {
      const key = keyOf(name, scope)
      const before = known.get(key) ?? null
      note(key, text)
      try {
        await (text === null ? del(key, store) : set(key, text, store))
      } catch (error) {
        if ((known.get(key) ?? null) === text) note(key, before)
        throw error
      }
      channel.postMessage({ key, text })
      notify()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
