/**
 * Stores what is typed into a form until it is saved or discarded: 300 ms after the last key, and at once when the page
 * is hidden, because a phone may kill a hidden page without another event.
 *
 *     start ── read draft ─┬─ none ────────────┐
 *                          └─ found: restored ─┴─ typed → stored → … ─┬─ discarded: draft deleted
 *                                                                     └─ submitted: writes paused ─┬─ saved: ended
 *                                                                                                  └─ failed: writes resume
 *
 * Invariants: writes run one after another, and none follows the deletion of the draft. A save deletes the draft in its
 * own transaction (data/drafts/save-draft); no draft write starts after that.
 */
import { createDraftQueue, createDraftWriter } from './draft-queue.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { FormDrafts, TakenDraft } from './form-drafts.ts'
import { typedValues, type ValuesOfForm } from './typed-values.ts'

export interface FormAutosave {
  /** Undefined for a form without autosave. */
  key: string | undefined
  /** Starts autosave. @returns stops it after writing what was typed last */
  start(drafts: FormDrafts): () => void
  /** True if the form opened with a restored draft. */
  restored: ValueStore<boolean>
  /** True once it is known whether a draft exists. */
  read: ValueStore<boolean>
  /** Reports a change of input outside the form's fields (photos). */
  setChanged(changed: boolean): void
  isChanged(): boolean
  /** True if closing the form loses nothing: the form was saved or discarded, or the device has stored everything. */
  isSafe(): boolean
  /**
   * Marks the form as being saved.
   * @returns ends the marking; with `isSaved` true, autosave ends too
   */
  submits(drafts: FormDrafts | null): (isSaved: boolean) => void
  /** True after the form was saved or discarded. On a slow phone the form stays on screen a moment longer. */
  isOver(): boolean
  /** Discards the input: the draft is deleted and no write follows. */
  giveUp(): Promise<void>
  isGivenUp(): boolean
  /** Resets the form to its state without a draft. @returns undoes the reset; null if there was no draft */
  startFresh(): Promise<TakenDraft | null>
}

export function createFormAutosave(form: ValuesOfForm, key: string | undefined): FormAutosave {
  let isChanged = false
  let ended = false
  let givenUp = false
  const queue = createDraftQueue(key)
  const values = typedValues(form, () => {
    if (!ended) write.soon()
  })
  const write = createDraftWriter(queue, values.changed)
  const restore = restoring(values)
  const clear = () => {
    values.reset()
    write.cancel()
  }

  return {
    key,
    setChanged: (next) => void (isChanged = next),
    isChanged: () => isChanged,
    restored: values.isRestored,
    read: queue.isRead,
    start(drafts) {
      if (key === undefined) return () => undefined
      const ends = [write.now, queue.open(key, drafts, restore), values.watch(), whenHidden(write.now)]
      return () => {
        for (const each of ends) each()
      }
    },
    isSafe: () => ended || write.isStored(),
    submits(drafts) {
      write.pause()
      const written = queue.enqueue(async () => undefined)
      const end = key === undefined ? undefined : drafts?.submits(key, values.changed(), written)
      return (isSaved) => {
        if (isSaved) ended = true
        else if (!ended) write.resume()
        end?.()
      }
    },
    isOver: () => ended && key !== undefined,
    async giveUp() {
      givenUp = true
      ended = true
      write.cancel()
      await queue.enqueue((drafts, draftKey) => drafts.drop(draftKey)).catch(() => undefined)
    },
    isGivenUp: () => givenUp,
    async startFresh() {
      // The undo includes what was typed last.
      write.now()
      const taken = await queue.enqueue((drafts, draftKey) => drafts.take(draftKey))
      clear()
      return taken ? undoOf(taken, queue, clear, restore) : null
    },
  }
}

/** Undoes `startFresh`: empties the form, stores the draft again and restores it into the form. */
const undoOf = (
  { back, forget }: TakenDraft,
  queue: ReturnType<typeof createDraftQueue>,
  clear: () => void,
  restore: ReturnType<typeof restoring>,
): TakenDraft => ({
  back: () =>
    queue.enqueue(async (drafts, draftKey) => {
      clear()
      await back()
      await restore(drafts, draftKey)
    }),
  forget,
})

/** Restores the draft into the form. A draft without any difference from the form's initial values is deleted. */
const restoring = ({ putBack }: ReturnType<typeof typedValues>) =>
  async function restore(drafts: FormDrafts, draftKey: string) {
    const stored = await drafts.read(draftKey)
    if (stored && !putBack(stored)) await drafts.drop(draftKey)
  }

/**
 * Calls `run` when the page is hidden or unloaded. Hidden is the last event before a phone kills a page. On
 * a reload only writes that start at `beforeunload` are sure to reach the disk; `pagehide` is too late.
 * @returns removes the listeners
 */
function whenHidden(run: () => void): () => void {
  const hidden = () => {
    if (document.visibilityState === 'hidden') run()
  }
  document.addEventListener('visibilitychange', hidden)
  window.addEventListener('beforeunload', run)
  window.addEventListener('pagehide', run)
  return () => {
    document.removeEventListener('visibilitychange', hidden)
    window.removeEventListener('beforeunload', run)
    window.removeEventListener('pagehide', run)
  }
}
