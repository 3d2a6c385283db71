/**
 * Stores the input of a form until it is saved or discarded: 300 ms after the last key, and at once when the page is
 * hidden, because a phone may then end the page without another event.
 *
 *     start ── read draft ─┬─ none ────────────┐
 *                          └─ found: restored ─┴─ typed → stored → … ─┬─ discarded: draft deleted
 *                                                                     └─ submitted: writes paused ─┬─ saved: ended
 *                                                                                                  └─ failed: writes resume
 *
 * Writes run one after another, and none follows the deletion of the draft. A save deletes the draft in its own
 * transaction (data/drafts/save-draft).
 */
import { createDraftQueue, createDraftWriter } from './draft-queue.ts'
import type { ValueStore } from '#lib/value-store.ts'
import type { FormDrafts, TakenDraft } from './form-drafts.ts'
import { typedValues, type ValuesOfForm } from './typed-values.ts'

export interface FormAutosave {
  /** Undefined for a form without autosave. */
  key: string | undefined
  /** Starts autosave. @returns stops autosave after writing the last input */
  start(drafts: FormDrafts): () => void
  /** True if the form opened with a draft. */
  restored: ValueStore<boolean>
  /** True once the app has looked for a stored draft. */
  read: ValueStore<boolean>
  /** Sets whether photos have changed. Photos are not fields of the form. */
  setChanged(changed: boolean): void
  /** True if photos have changed (`setChanged`). */
  isChanged(): boolean
  /** True if closing the form loses no input: the form was saved or discarded, or the device has stored the input. */
  isSafe(): boolean
  /**
   * Called when a save begins.
   * @returns a function to call at the end of the save. `isSaved` ends the autosave too.
   */
  submits(drafts: FormDrafts | null): (isSaved: boolean) => void
  /** True after a form with a draft was saved or discarded, also while it is still on screen. */
  isOver(): boolean
  /** Discards the input and deletes the draft. */
  giveUp(): Promise<void>
  isGivenUp(): boolean
  /** Resets the form to its state without a draft. @returns the undo; null if there was no draft */
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
      // Resolves once the draft's earlier writes have ended.
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
      write.now()
      const taken = await queue.enqueue((drafts, draftKey) => drafts.take(draftKey))
      clear()
      return taken ? undoOf(taken, queue, clear, restore) : null
    },
  }
}

/** The undo of `startFresh`: stores the draft again and restores it into the emptied form. */
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

/** Returns a function that restores the draft into the form, or deletes a draft that equals the initial values. */
const restoring = ({ putBack }: ReturnType<typeof typedValues>) =>
  async function restore(drafts: FormDrafts, draftKey: string) {
    const stored = await drafts.read(draftKey)
    if (stored && !putBack(stored)) await drafts.drop(draftKey)
  }

/**
 * Calls `run` when the page is hidden or reloaded. A phone may end a hidden page without another event. On a reload a
 * write must start at `beforeunload`, because `pagehide` is too late.
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
