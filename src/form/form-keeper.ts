/**
 * Keeps what is typed into a form until it is saved or given up: 300 ms after the last key, and at once when the page is
 * hidden, which is the last that a phone tells a page before it kills it.
 *
 *     start ── read the draft ─┬─ none ──────────────┐
 *                              └─ there: restored ───┴─ typed → kept → … → saved or given up: the draft goes
 *
 * Writes go one after the other, so that none comes after the draft went.
 */
import { STORAGE_DEBOUNCE_MS } from '#schemas/limits.ts'
import type { FormDrafts, TakenDraft } from './form-drafts.ts'

/** The part of a form that is looked at. */
interface Kept {
  store: { subscribe(listener: () => void): { unsubscribe(): void } }
  state: { values: object }
  options: { defaultValues?: object }
  setFieldValue(name: string, value: unknown, options: { dontRunListeners: true }): void
  reset(): void
}

export interface FormKeeper {
  /** Undefined where nothing is kept. */
  key: string | undefined
  /** @returns stops it; what was typed last is written */
  start(drafts: FormDrafts): () => void
  /** The form opened with what was kept: for `useSyncExternalStore`. */
  restored: { subscribe(listener: () => void): () => void; get(): boolean }
  /** It is known whether there is something kept. */
  read: { subscribe(listener: () => void): () => void; get(): boolean }
  /** Whether input that is no field of the form was changed (photos). */
  setChanged(changed: boolean): void
  isChanged(): boolean
  /** Saved, or left unsaved on purpose: nothing is kept any more. */
  end(): Promise<void>
  /** The form is as it opens without a draft. @returns the way back to what was typed; null where nothing was kept */
  startFresh(): Promise<TakenDraft | null>
}

export function createFormKeeper(form: Kept, key: string | undefined): FormKeeper {
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  let isRestored = false
  let isRead = key === undefined
  let isChanged = false
  let drafts: FormDrafts | null = null
  let ended = false
  let seen: object = form.state.values
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn: Promise<void> = Promise.resolve()

  // a full disk takes the draft, never the form
  const inTurn = (run: (to: FormDrafts, key: string) => Promise<void>): Promise<void> => {
    const written = turn.then(() => (drafts && key ? run(drafts, key) : undefined))
    turn = written.catch(() => undefined)
    return written
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const setRestored = (next: boolean) => {
    isRestored = next
    tell()
  }
  const write = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const { values } = form.state
    // one that nobody catches is said by the app (watch-errors): the turn has caught its own, and not what follows it
    void inTurn((to, of) => to.keep(of, values)).then(() => undefined)
  }
  const look = () => {
    if (ended || form.state.values === seen) return
    seen = form.state.values
    clearTimeout(timer)
    timer = setTimeout(write, STORAGE_DEBOUNCE_MS)
  }
  const drop = () => {
    clearTimeout(timer)
    timer = undefined
    return inTurn((to, of) => to.drop(of)).catch(() => undefined)
  }

  const clear = () => {
    form.reset()
    clearTimeout(timer)
    timer = undefined
    seen = form.state.values
    setRestored(false)
  }
  const wayBack = ({ back, forget }: TakenDraft): TakenDraft => ({
    async back() {
      await inTurn(async (to, of) => {
        clear()
        await back()
        await restore(to, of)
      })
    },
    forget,
  })

  async function restore(from: FormDrafts, of: string) {
    const kept = await from.read(of)
    if (!kept) return
    const typed = differing(kept.values, form.options.defaultValues ?? {})
    if (typed.length === 0 && !kept.hasPhotos) return from.drop(of)
    for (const [name, value] of typed) form.setFieldValue(name, value, { dontRunListeners: true })
    seen = form.state.values
    setRestored(true)
  }

  return {
    key,
    setChanged(next) {
      isChanged = next
    },
    isChanged: () => isChanged,
    restored: { subscribe, get: () => isRestored },
    read: { subscribe, get: () => isRead },
    start(to) {
      if (key === undefined) return () => undefined
      drafts = to
      const first = () => {
        isRead = true
        tell()
      }
      void inTurn(restore).then(first, first)
      const { unsubscribe } = form.store.subscribe(look)
      const unwatch = to.watch(key, () => void inTurn(restore).catch(() => undefined))
      const hidden = () => document.visibilityState === 'hidden' && write()
      document.addEventListener('visibilitychange', hidden)
      window.addEventListener('pagehide', write)
      return () => {
        write()
        unsubscribe()
        unwatch()
        document.removeEventListener('visibilitychange', hidden)
        window.removeEventListener('pagehide', write)
      }
    },
    end() {
      ended = true
      return drop()
    },
    async startFresh() {
      // what was typed last is had back, too
      write()
      let taken: TakenDraft | null = null
      await inTurn(async (to, of) => void (taken = await to.take(of)))
      clear()
      return taken && wayBack(taken)
    },
  }
}

/** The kept values that are of a field's kind and not what it starts with: what another version kept is left out. */
function differing(kept: unknown, defaults: object): [string, unknown][] {
  if (typeof kept !== 'object' || kept === null) return []
  const values = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(defaults).flatMap(([name, initial]: [string, unknown]) => {
    const value = values.get(name)
    const fits = typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial)
    return fits && JSON.stringify(value) !== JSON.stringify(initial) ? [[name, value]] : []
  })
}
