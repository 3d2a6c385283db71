/**
 * Stores the input of a form until it is saved or discarded: 300 ms after the last key, and at once when the page is
 * hidden, because a phone may then end the page without another event.
 *
 *     start ── read draft ─┬─ none ────────────┐
 *                          └─ found: restored ─┴─ typed → stored → … ─┬─ discarded: draft deleted
 *                                                                     └─ submitted: writes paused ─┬─ saved: ended
 *                                                                                                  └─ failed: writes resume
 *
 * Reads and writes run one after another, and none follows the deletion of the draft. A save deletes the draft in its
 * own transaction (data/drafts/save-draft).
 */
import { STORAGE_DEBOUNCE_MS } from '#schemas/limits.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { FormDrafts, TakenDraft, StoredDraft } from './form-drafts.ts'
import { TOGETHER } from '#schemas/changes/change-queue.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'

export type FormAutosave = ReturnType<typeof createFormAutosave>

/** @param key the draft's key; undefined for a form without autosave */
export function createFormAutosave(form: ValuesOfForm, key: string | undefined) {
  let isChanged = false
  let ended = false
  let givenUp = false
  const read = createValueStore(key === undefined)
  const queue = createQueue(key)
  const values = typedValues(form, () => ended || write.soon())
  const write = createDraftWriter(queue.enqueue, values.changed)
  const { restore, startFresh } = createRestart(queue.enqueue, values, write)
  return {
    /** Sets whether photos have changed. Photos are not fields of the form. */
    setChanged: (next: boolean) => void (isChanged = next),
    isChanged: () => isChanged,
    /** True if the form opened with a draft. */
    restored: values.isRestored,
    /** True once the app has looked for a stored draft. */
    read,
    /** Starts autosave. @returns stops autosave after writing the last input */
    start(drafts: FormDrafts): () => void {
      if (key === undefined) return () => undefined
      queue.open(drafts)
      const markRead = () => read.set(true)
      void queue.enqueue(restore).then(markRead, markRead)
      // The undo of a save turns the saved input into a draft again.
      const watching = drafts.watch(key, () => void queue.enqueue(restore).catch(() => undefined))
      const ends = [write.now, watching, values.watch(), whenHidden(write.now)]
      return () => ends.forEach((end) => end())
    },
    /** True if closing the form loses no input: the form was saved or discarded, or the device has stored the input. */
    isSafe: () => ended || write.isStored(),
    /** Called when a save begins. @returns a function to call at the end of the save */
    submits(drafts: FormDrafts | null) {
      write.pause()
      // Resolves once the draft's earlier writes have ended.
      const written = queue.enqueue(async () => undefined)
      const end = key === undefined ? undefined : drafts?.submits(key, values.changed(), written)
      return (isSaved: boolean): void => {
        if (isSaved) ended = true
        else if (!ended) write.resume()
        end?.()
      }
    },
    /** True after a form with a draft was saved or discarded, also while it is still on screen. */
    isOver: () => ended && key !== undefined,
    /** Discards the input and deletes the draft. */
    async giveUp(): Promise<void> {
      ended = givenUp = true
      write.cancel()
      await queue.enqueue((drafts, draftKey) => drafts.drop(draftKey)).catch(() => undefined)
    },
    isGivenUp: () => givenUp,
    /** Resets the form to its state without a draft. @returns the undo; null if there was no draft */
    startFresh,
  }
}

type Enqueue = ReturnType<typeof createQueue>['enqueue']

function createQueue(key: string | undefined) {
  let drafts: FormDrafts | null = null
  let last: Promise<unknown> = Promise.resolve()
  return {
    open: (store: FormDrafts) => void (drafts = store),
    /** Runs nothing without autosave. If `run` rejects, the result rejects and the queue continues. */
    enqueue<T>(run: (drafts: FormDrafts, key: string) => Promise<T>): Promise<T | undefined> {
      const done = last.then(() => (drafts && key !== undefined ? run(drafts, key) : undefined))
      // A full device must not block the form, so the queue ignores the error.
      last = done.catch(() => undefined)
      return done
    },
  }
}

function createRestart(
  enqueue: Enqueue,
  values: ReturnType<typeof typedValues>,
  write: ReturnType<typeof createDraftWriter>,
) {
  /** Restores the draft into the form, or deletes a draft that equals the initial values. */
  const restore = async (drafts: FormDrafts, key: string) => {
    const stored = await drafts.read(key)
    if (stored && !values.putBack(stored)) await drafts.drop(key)
  }
  const clear = () => {
    values.reset()
    write.cancel()
  }
  const startFresh = async (): Promise<TakenDraft | null> => {
    write.now()
    const taken = await enqueue((drafts, key) => drafts.take(key))
    clear()
    if (!taken) return null
    const back = async (drafts: FormDrafts, key: string) => {
      clear()
      await taken.back()
      await restore(drafts, key)
    }
    return { forget: taken.forget, back: () => enqueue(back) }
  }
  return { restore, startFresh }
}

/** Writes the input to the draft after a pause in typing, or at once when `now` is called. */
function createDraftWriter(enqueue: Enqueue, typed: () => object) {
  /** Number of requested writes, and number of the last write that is on disk. Writes are counted from 1. */
  let [requested, stored] = [0, 0]
  let isPaused = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const now = () => {
    if (timer === undefined) return
    cancel()
    const [values, writeNumber] = [typed(), requested]
    const storeValues = async (drafts: FormDrafts, key: string) => {
      await drafts.keep(key, values)
      stored = writeNumber
    }
    // A failed write must become an uncaught error, which the app reports (`watch-errors.ts`). `then` makes a promise
    // whose error the queue does not handle.
    void enqueue(storeValues).then(() => undefined)
  }
  const schedule = () => {
    cancel()
    if (!isPaused) timer = setTimeout(now, STORAGE_DEBOUNCE_MS)
  }
  return {
    soon() {
      requested += 1
      schedule()
    },
    /** Writes at once if a write is scheduled. */
    now,
    cancel,
    /** True if the device has stored all input. */
    isStored: () => requested === stored,
    /** Stops all writes until `resume`. */
    pause() {
      isPaused = true
      cancel()
    },
    resume() {
      isPaused = false
      if (requested !== stored) schedule()
    },
  }
}

/**
 * Calls `run` when the page is hidden or reloaded. On a reload a write must start at `beforeunload`, because `pagehide`
 * is too late.
 * @returns removes the listeners
 */
function whenHidden(run: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const hidden = () => document.visibilityState === 'hidden' && run()
  document.addEventListener('visibilitychange', hidden, { signal })
  window.addEventListener('beforeunload', run, { signal })
  window.addEventListener('pagehide', run, { signal })
  return () => listening.abort()
}

/** The part of a TanStack form that autosave uses. */
interface ValuesOfForm {
  store: { subscribe(listener: () => void): { unsubscribe(): void } }
  state: { values: object }
  options: { defaultValues?: object }
  setFieldValue(name: string, value: unknown, options: { dontRunListeners: true }): void
  reset(): void
}

/** @param onTyped called when a value changes */
function typedValues(form: ValuesOfForm, onTyped: () => void) {
  let seen = form.state.values
  const isRestored = createValueStore(false)
  return {
    changed: () => changedIn(form.state.values, form.options.defaultValues ?? {}),
    isRestored,
    /** Starts watching. @returns stops watching */
    watch(): () => void {
      const subscription = form.store.subscribe(() => {
        if (form.state.values === seen) return
        seen = form.state.values
        onTyped()
      })
      return () => subscription.unsubscribe()
    },
    reset() {
      form.reset()
      seen = form.state.values
      isRestored.set(false)
    },
    /** Restores a draft into the form. @returns false if the draft equals the initial values */
    putBack({ values, hasPhotos }: StoredDraft): boolean {
      const fields = restorable(values, form.options.defaultValues ?? {})
      if (fields.length === 0 && !hasPhotos) return false
      for (const [name, value] of fields) form.setFieldValue(name, value, { dontRunListeners: true })
      seen = form.state.values
      isRestored.set(true)
      return true
    },
  }
}

/**
 * The values that the user has changed. An unchanged value is not stored in the draft, because it could later
 * overwrite a newer value of another person (sync RULES MG2). If one of several fields that are valid only
 * together has changed, all of them are stored.
 */
export function changedIn(values: object, defaults: object): object {
  const initial = new Map<string, unknown>(Object.entries(defaults))
  const all: [string, unknown][] = Object.entries(values)
  const changed = all.flatMap(([name, value]) => (isSameJson(value, initial.get(name)) ? [] : [name]))
  const together = changed.some((name) => TOGETHER.includes(name)) ? TOGETHER : []
  return Object.fromEntries(all.filter(([name]) => changed.includes(name) || together.includes(name)))
}

/**
 * Returns the values of a draft that differ from the form's initial values. A value whose type differs from the initial
 * one is left out, because another version of the app has stored it.
 */
export function restorable(stored: unknown, defaults: object): [name: string, value: unknown][] {
  if (typeof stored !== 'object' || stored === null) return []
  const values = new Map<string, unknown>(Object.entries(stored))
  return Object.entries(defaults).flatMap(([name, initial]: [string, unknown]) => {
    const value = values.get(name)
    const isOfKind = typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial)
    const isWhole = !isTicks(initial) || (Array.isArray(value) && value.length === initial.length)
    return isOfKind && isWhole && !isSameJson(value, initial) ? [[name, value]] : []
  })
}

/** True for the ticks of a checklist. Stored ticks of another number are not restored: they would tick wrong items. */
const isTicks = (value: unknown): value is boolean[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'boolean')
