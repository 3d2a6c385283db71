/**
 * Lists of small entries on this device, newest last, for looking into what went before: written in batches when the screen
 * needs nothing, shared by all tabs, bounded in number and age. What cannot be written is lost without a word: none of it
 * is needed for work.
 */
import { clear, createStore, delMany, entries, update } from 'idb-keyval'
import { whenIdle } from '#sync/lib/yield-to-screen.ts'

/** How long an entry waits so that several are written together. */
const BATCH_MS = 3_000

interface Parts<T> {
  /** Name of the database. */
  name: string
  /** Of each list: the oldest go first. */
  most: number
  /** What another version, or a broken store, left is dropped. */
  isEntry: (value: unknown) => value is T
  /** A later entry takes the place of the same one. */
  isSame?: (one: T, other: T) => boolean
  /** Calls back once, when a batch may be written. */
  later?: (write: () => void) => void
}

export interface KeptRing<T> {
  add(list: string, entry: T): void
  /** Every list by its name, with what is not written yet. */
  read(): Promise<Map<string, T[]>>
  /** Writes what waits, now. */
  flush(): Promise<void>
  /** Takes away the lists whose name is over. */
  drop(isOver: (list: string) => boolean): Promise<void>
  clear(): Promise<void>
}

export function createKeptRing<T>({ name, most, isEntry, isSame, later = idly }: Parts<T>): KeptRing<T> {
  const database = createStore(name, 'values')
  let waiting = new Map<string, T[]>()
  let isDue = false
  let turn = Promise.resolve()
  const inTurn = (run: () => Promise<unknown>) => {
    turn = turn.then(run).then(
      () => undefined,
      () => undefined,
    )
    return turn
  }
  const all = async () => entries<string, unknown>(database)
  const joined = (stored: unknown, added: readonly T[]): T[] =>
    [...entriesOf(stored, isEntry), ...added]
      .filter((entry, at, all) => !isSame || !all.slice(at + 1).some((other) => isSame(entry, other)))
      .slice(-most)
  const flush = () => {
    const batch = waiting
    waiting = new Map()
    isDue = false
    return inTurn(async () => {
      for (const [list, added] of batch)
        await update<unknown>(list, (stored) => joined(stored, added), database)
    })
  }
  return {
    flush,
    add(list, entry) {
      waiting.set(list, [...(waiting.get(list) ?? []), entry].slice(-most))
      if (isDue) return
      isDue = true
      later(() => void (isDue && flush()))
    },
    async read() {
      await flush()
      const stored = await all().catch(() => [])
      return new Map(stored.map(([list, value]) => [list, entriesOf(value, isEntry)]))
    },
    drop: (isOver) =>
      inTurn(async () => {
        for (const list of waiting.keys()) if (isOver(list)) waiting.delete(list)
        const over = (await all()).map(([list]) => list).filter(isOver)
        if (over.length > 0) await delMany(over, database)
      }),
    clear: () => {
      waiting.clear()
      return inTurn(() => clear(database))
    },
  }
}

const entriesOf = <T>(stored: unknown, isEntry: (value: unknown) => value is T): T[] =>
  Array.isArray(stored) ? stored.filter(isEntry) : []

/** At the latest when the page goes out of sight: a phone may end it there. */
function idly(write: () => void): void {
  const isHidden = () => document.visibilityState === 'hidden'
  const now = () => {
    document.removeEventListener('visibilitychange', look)
    clearTimeout(timer)
    write()
  }
  const look = () => isHidden() && now()
  const timer = setTimeout(() => void whenIdle().then(now), isHidden() ? 0 : BATCH_MS)
  document.addEventListener('visibilitychange', look)
}
