/**
 * What the next start shows first, as it lies on the device: in localStorage, which `first-paint.ts` reads at once, and a
 * word of it beside the session, with the key that opens it. Both say the same, or the list is not drawn of it: a browser that
 * is killed may lose the last writes of localStorage, and what was written over would answer again (decision 0105).
 *
 *     settled ─→ word ─→ kept        anything about to be written, in any tab or frame ─→ both go, before it
 */
import { createStore, del, get, set, update } from 'idb-keyval'
import { scoped } from '#lib/crm-scope.ts'
import { isSame } from '#lib/is-same.ts'
import { KEPT_START, KEPT_WORD } from './kept-root.ts'
import { rowsKey, type Word } from './sealed-first-rows.ts'

/** What is kept of the list, of which half of the day, and whether it lies there sealed. */
export interface ListKept {
  half: unknown
  isSealed: boolean
  nodes: unknown
  list: unknown
}

export interface KeptStart {
  /** It lies there as it is: nothing needs to be written. */
  has(wanted: ListKept): boolean
  /** Raised by each drop; a `keep` begun under a lower number does not count. */
  turn(): number
  /** What is kept is sealed with it; it is the same until something is dropped. */
  key(): Promise<CryptoKey>
  /**
   * @param begun the turn in which `kept` was true
   * @param key what opens it, null where nothing is sealed
   * @param of what is in it, to be known again
   */
  keep(begun: number, kept: object, key: CryptoKey | null, of?: ListKept): Promise<void>
  drop(): void
}

/**
 * @param scope of the CRM whose list it is
 * @param first what this start was drawn of
 */
export function openKeptStart(scope: string, first: ListKept | null = null): KeptStart {
  const [name, word] = [scoped(KEPT_START, scope), scoped(KEPT_WORD, scope)]
  const store = createStore('genba-device', 'values')
  let turn = 0
  let last = first
  const drop = () => {
    turn += 1
    last = null
    if (localStorage.getItem(name) === null) return
    localStorage.removeItem(name)
    // requested before the data write, so that it reaches the disk no later
    void del(word, store).catch(() => undefined)
  }
  return {
    turn: () => turn,
    // reuses the stored key, so a page that starts between the two writes can still open the older list
    key: async () => (await get<Word>(word, store))?.key ?? rowsKey(),
    // another tab may have dropped it
    has: (wanted) => last !== null && isSame(last, wanted) && localStorage.getItem(name) !== null,
    drop,
    async keep(begun, kept, key, of) {
      try {
        const own: Word = { said: crypto.randomUUID(), key }
        await set(word, own, store)
        if (begun === turn) {
          localStorage.setItem(name, JSON.stringify({ ...kept, word: own.said }))
          last = of ?? null
          return
        }
        // dropped meanwhile: what has been kept since stays
        await update<Word>(word, (now) => (now?.said === own.said ? undefined : now) as Word, store)
      } catch {
        // no room: the next start shows the frame only
        drop()
      }
    },
  }
}
