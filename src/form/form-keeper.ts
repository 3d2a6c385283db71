/**
 * Keeps what is typed into a form until it is saved or given up: 300 ms after the last key, and at once when the page is
 * hidden, which is the last that a phone tells a page before it kills it.
 *
 *     start ── read the draft ─┬─ none ──────────────┐
 *                              └─ there: restored ───┴─ typed → kept → … ─┬─ given up: the draft goes
 *                                                                         └─ submitted: nothing is kept ─┬─ saved: over
 *                                                                                                        └─ not: kept again
 *
 * Writes go one after the other, so that none comes after the draft went. The draft of what is saved ends with the save
 * itself (data/save-draft): no write comes after that has begun.
 */
import { createDraftLine, createDraftWriter } from './draft-line.ts'
import type { Flag } from '#lib/flag.ts'
import type { FormDrafts, TakenDraft } from './form-drafts.ts'
import { typedValues, type ValuesOfForm } from './typed-values.ts'

export interface FormKeeper {
  /** Undefined where nothing is kept. */
  key: string | undefined
  /** @returns stops it; what was typed last is written */
  start(drafts: FormDrafts): () => void
  /** The form opened with what was kept. */
  restored: Flag
  /** It is known whether there is something kept. */
  read: Flag
  /** Whether input that is no field of the form was changed (photos). */
  setChanged(changed: boolean): void
  isChanged(): boolean
  /** Nothing would be lost with the form: it was saved or given up, or the device has all that was typed. */
  isSafe(): boolean
  /**
   * The form is being saved.
   * @returns ends that; saved: nothing is kept any more
   */
  submits(drafts: FormDrafts | null): (isSaved: boolean) => void
  /** What is kept was saved or given up, and the form is being left: it stands a moment longer on a slow phone. */
  isOver(): boolean
  /** Left unsaved on purpose: the draft goes, and nothing comes after it. */
  giveUp(): Promise<void>
  isGivenUp(): boolean
  /** The form is as it opens without a draft. @returns the way back to what was typed; null where nothing was kept */
  startFresh(): Promise<TakenDraft | null>
}

export function createFormKeeper(form: ValuesOfForm, key: string | undefined): FormKeeper {
  let isChanged = false
  let ended = false
  let givenUp = false
  const line = createDraftLine(key)
  const values = typedValues(form, () => {
    if (!ended) write.soon()
  })
  const write = createDraftWriter(line, values.changed)
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
    read: line.isRead,
    start(drafts) {
      if (key === undefined) return () => undefined
      const ends = [write.now, line.open(key, drafts, restore), values.watch(), whenHidden(write.now)]
      return () => {
        for (const each of ends) each()
      }
    },
    isSafe: () => ended || write.isKept(),
    submits(drafts) {
      write.pause()
      const written = line.inTurn(async () => undefined)
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
      await line.inTurn((drafts, of) => drafts.drop(of)).catch(() => undefined)
    },
    isGivenUp: () => givenUp,
    async startFresh() {
      // what was typed last is had back, too
      write.now()
      const taken = await line.inTurn((drafts, of) => drafts.take(of))
      clear()
      return taken ? undoOf(taken, line, clear, restore) : null
    },
  }
}

/** Undoes `startFresh`: the form is emptied, the draft is stored again, and the form shows it. */
const undoOf = (
  { back, forget }: TakenDraft,
  line: ReturnType<typeof createDraftLine>,
  clear: () => void,
  restore: ReturnType<typeof restoring>,
): TakenDraft => ({
  back: () =>
    line.inTurn(async (drafts, of) => {
      clear()
      await back()
      await restore(drafts, of)
    }),
  forget,
})

/** A draft that has nothing the form does not start with is none. */
const restoring = ({ putBack }: ReturnType<typeof typedValues>) =>
  async function restore(drafts: FormDrafts, of: string) {
    const kept = await drafts.read(of)
    if (kept && !putBack(kept)) await drafts.drop(of)
  }

/**
 * The page is hidden or goes. Hidden is the last that it hears before a phone kills it. Of one that is loaded anew only
 * what is written while the new one is fetched is sure to reach the disk: at `pagehide` it is too late. @returns ends it
 */
function whenHidden(told: () => void): () => void {
  const hidden = () => {
    if (document.visibilityState === 'hidden') told()
  }
  document.addEventListener('visibilitychange', hidden)
  window.addEventListener('beforeunload', told)
  window.addEventListener('pagehide', told)
  return () => {
    document.removeEventListener('visibilitychange', hidden)
    window.removeEventListener('beforeunload', told)
    window.removeEventListener('pagehide', told)
  }
}
