/** Runs the reads and writes of a form's draft one after another, so that no write follows the draft's deletion. */
import { STORAGE_DEBOUNCE_MS } from '#schemas/limits.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { FormDrafts } from './form-drafts.ts'

type Run<T> = (drafts: FormDrafts, key: string) => Promise<T>

/** @param key undefined for a form without autosave */
export function createDraftQueue(key: string | undefined) {
  let drafts: FormDrafts | null = null
  let last: Promise<unknown> = Promise.resolve()
  const isRead = createValueStore(key === undefined)
  const markRead = () => isRead.set(true)

  /**
   * Queues an operation on the draft. Does nothing without autosave. If `run` rejects, the result rejects and the
   * queue continues.
   */
  function enqueue<T>(run: Run<T>): Promise<T | undefined> {
    const done = last.then(() => (drafts && key !== undefined ? run(drafts, key) : undefined))
    // A full device must not block the form, so the queue ignores the error.
    last = done.catch(() => undefined)
    return done
  }

  return {
    enqueue,
    /** True once the app has looked for a stored draft. */
    isRead,
    /**
     * Starts autosave.
     * @param restore called at the start, and each time that the undo of a save turns the saved input into a draft
     * @returns a function that ends the calls of `restore`
     */
    open(watchedKey: string, store: FormDrafts, restore: Run<void>): () => void {
      drafts = store
      void enqueue(restore).then(markRead, markRead)
      return store.watch(watchedKey, () => void enqueue(restore).catch(() => undefined))
    },
  }
}

type DraftQueue = ReturnType<typeof createDraftQueue>

interface DraftWriter extends Debounced {
  /** True if the device has stored all input. */
  isStored(): boolean
  /** Stops all writes until `resume`. */
  pause(): void
  resume(): void
}

/** Writes the input to the draft after a pause in typing, or at once when `now` is called. */
export function createDraftWriter({ enqueue }: DraftQueue, typed: () => object): DraftWriter {
  /** Number of requested writes, and number of the last write that is on disk. Writes are counted from 1. */
  let [requested, stored] = [0, 0]
  let isPaused = false
  const writing = debounced(() => {
    const [values, writeNumber] = [typed(), requested]
    const storeValues = async (drafts: FormDrafts, key: string) => {
      await drafts.keep(key, values)
      stored = writeNumber
    }
    // A failed write must become an uncaught error, which the app reports (`watch-errors.ts`). `then` makes a promise
    // whose error the queue does not handle.
    void enqueue(storeValues).then(() => undefined)
  }, STORAGE_DEBOUNCE_MS)
  return {
    ...writing,
    soon() {
      requested += 1
      if (!isPaused) writing.soon()
    },
    isStored: () => requested === stored,
    pause() {
      isPaused = true
      writing.cancel()
    },
    resume() {
      isPaused = false
      if (requested !== stored) writing.soon()
    },
  }
}

interface Debounced {
  /** Schedules a run, or restarts the delay of a scheduled run. */
  soon(): void
  /** Runs at once if a run is scheduled. */
  now(): void
  cancel(): void
}

/** @param ms delay between the last call of `soon` and the run, in milliseconds */
function debounced(run: () => void, ms: number): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const now = () => {
    if (timer === undefined) return
    cancel()
    run()
  }
  return {
    soon() {
      cancel()
      timer = setTimeout(now, ms)
    },
    now,
    cancel,
  }
}
