/**
 * Small values of this device that a promise hangs on (decisions/encryption): read once before the first paint, on the
 * disk when a write resolves, and told to all tabs. What a killed browser may forget lies in localStorage
 * (`local-names.ts`).
 */
import { del, entries, get, set, type UseStore } from 'idb-keyval'
import { scoped } from '#lib/browser/crm-scope.ts'
import { strictStore } from '#lib/browser/strict-store.ts'

/**
 * `lock`: after how long the screen is locked; `lock-chosen`: somebody has chosen; `lock-tries`, `sealed-tries`: wrong
 * passwords in a row; `time`: the trusted time with the marks of days.
 */
export type DeviceValueName = 'lock' | 'lock-chosen' | 'lock-tries' | 'sealed-tries' | 'time'

export interface DeviceValues {
  /** As it was written last, in any tab. */
  get(name: DeviceValueName, scope?: string): string | null
  /** @param text null: it goes @returns once it is on the disk: `get` of this page gives it at once, listeners are told then */
  set(name: DeviceValueName, text: string | null, scope?: string): Promise<void>
  subscribe(listener: () => void): () => void
}

interface Parts {
  store?: UseStore
  channel?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
}

const START = 'device:'

/** Where the session lies, too: the first paint waits for one database. */
export const deviceStore = (): UseStore => strictStore('genba-device', 'values')

/** As the disk has it now. */
export const isLockSet = async (store: UseStore): Promise<boolean> =>
  (await get<unknown>(`${START}lock`, store)) !== undefined

export async function openDeviceValues({
  store = deviceStore(),
  channel = new BroadcastChannel('genba-device-values'),
}: Parts = {}): Promise<DeviceValues> {
  const known = new Map<string, string>()
  const listeners = new Set<() => void>()
  const note = (key: string, text: string | null) => {
    if (text === null) known.delete(key)
    else known.set(key, text)
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  channel.addEventListener('message', ({ data }) => {
    const { key, text } = data as { key: string; text: string | null }
    note(key, text)
    tell()
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
      tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
