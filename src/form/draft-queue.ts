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
   * Queues an operation on the draft; does nothing without autosave. If `run` rejects, the returned promise rejects and the
   * queue continues.
   */
  function enqueue<T>(run: Run<T>): Promise<T | undefined> {
    const done = last.then(() => (drafts && key !== undefined ? run(drafts, key) : undefined))
    // A full disk loses the draft but does not block the form.
    last = done.catch(() => undefined)
    return done
  }

  return {
    enqueue,
    /** True once it is known whether a draft exists. */
    isRead,
    /**
     * Starts autosave.
     * @param restore runs now, and again whenever a saved change of this form becomes a draft again
     * @returns stops watching for such changes
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
  /** True if the device has stored everything that was typed. */
  isStored(): boolean
  /** Suspends all writes until `resume`. */
  pause(): void
  resume(): void
}

/** Writes the typed values to the draft after a debounce, or at once if `now` is called while a write is pending. */
export function createDraftWriter({ enqueue }: DraftQueue, typed: () => object): DraftWriter {
  /** Number of requested writes, and the number of the latest one that is stored. */
  let [requested, stored] = [0, 0]
  let isPaused = false
  const writing = debounced(() => {
    const [values, writeNumber] = [typed(), requested]
    const storeValues = async (drafts: FormDrafts, key: string) => {
      await drafts.keep(key, values)
      stored = writeNumber
    }
    // A rejection stays unhandled here, so that the app reports it (`watch-errors.ts`). The queue handles its own copy.
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
  /** Schedules a run and restarts the delay. */
  soon(): void
  /** Runs at once if a run is scheduled. */
  now(): void
  /** Cancels a scheduled run. */
  cancel(): void
}

/** @param ms delay after the last `soon` */
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
