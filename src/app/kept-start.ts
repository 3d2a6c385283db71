/**
 * What the next start shows first, as it lies on the device: in localStorage, which `first-paint.ts` reads at once, and a
 * word of it beside the session, with the key that opens it. Both say the same, or the list is not drawn of it: a browser that
 * is killed may lose the last writes of localStorage, and what was written over would answer again (decision 0105).
 *
 *     settled ─→ word ─→ kept        anything about to be written, in any tab or frame ─→ both go, before it
 */
import { createStore, del, get, set, update } from 'idb-keyval'
import { scoped } from '#lib/crm-scope.ts'
import { KEPT_START, KEPT_WORD } from './kept-root.ts'
import { rowsKey, type Word } from './sealed-first-rows.ts'

export interface KeptStart {
  /** Counts what was dropped: what was begun before is behind. */
  turn(): number
  /** What is kept is sealed with it; it is the same until something is dropped. */
  key(): Promise<CryptoKey>
  /** @param begun the turn in which `kept` was true @param key what opens it, null where nothing is sealed */
  keep(begun: number, kept: object, key: CryptoKey | null): Promise<void>
  drop(): void
}

/** @param scope of the CRM whose list it is */
export function openKeptStart(scope: string): KeptStart {
  const [name, word] = [scoped(KEPT_START, scope), scoped(KEPT_WORD, scope)]
  const store = createStore('genba-device', 'values')
  let turn = 0
  const drop = () => {
    turn += 1
    if (localStorage.getItem(name) === null) return
    localStorage.removeItem(name)
    // asked for before the write is: what is written later is not on the disk sooner
    void del(word, store).catch(() => undefined)
  }
  return {
    turn: () => turn,
    // a page that starts between word and list finds the one of before, and opens it
    key: async () => (await get<Word>(word, store))?.key ?? rowsKey(),
    drop,
    async keep(begun, kept, key) {
      try {
        const own: Word = { said: crypto.randomUUID(), key }
        await set(word, own, store)
        if (begun === turn) return localStorage.setItem(name, JSON.stringify({ ...kept, word: own.said }))
        // dropped meanwhile: what has been kept since stays
        await update<Word>(word, (now) => (now?.said === own.said ? undefined : now) as Word, store)
      } catch {
        // no room: the next start shows the frame only
        drop()
      }
    },
  }
}
