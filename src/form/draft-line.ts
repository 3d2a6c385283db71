/** What is done with the draft of a form, one after the other, so that no write comes after the draft went. */
import { STORAGE_DEBOUNCE_MS } from '#schemas/limits.ts'
import { debounced, type Debounced } from '#lib/time/debounced.ts'
import { createFlag } from '#lib/flag.ts'
import type { FormDrafts } from './form-drafts.ts'

type Run<T> = (drafts: FormDrafts, key: string) => Promise<T>

/** @param key undefined where nothing is kept */
export function createDraftLine(key: string | undefined) {
  let drafts: FormDrafts | null = null
  let last: Promise<unknown> = Promise.resolve()
  const isRead = createFlag(key === undefined)
  const known = () => isRead.set(true)

  /** Nothing is done where nothing is kept. @returns rejects with what `run` does: the next in line runs all the same */
  function inTurn<T>(run: Run<T>): Promise<T | undefined> {
    const done = last.then(() => (drafts && key !== undefined ? run(drafts, key) : undefined))
    // a full disk takes the draft, never the form
    last = done.catch(() => undefined)
    return done
  }

  return {
    inTurn,
    /** It is known whether there is something kept. */
    isRead,
    /** @param restore runs now, and where what was saved from this form is a draft again. @returns ends that */
    open(of: string, to: FormDrafts, restore: Run<void>): () => void {
      drafts = to
      void inTurn(restore).then(known, known)
      return to.watch(of, () => void inTurn(restore).catch(() => undefined))
    },
  }
}

type DraftLine = ReturnType<typeof createDraftLine>

interface DraftWriter extends Debounced {
  /** The device has all that was to be kept. */
  isKept(): boolean
  /** Nothing is written until `resume`. */
  pause(): void
  resume(): void
}

/** Keeps what is typed: soon, or now where it was to be kept soon. */
export function createDraftWriter({ inTurn }: DraftLine, typed: () => object): DraftWriter {
  /** How often something was to be kept, and what of it the device has. */
  let [asked, kept] = [0, 0]
  let isPaused = false
  const writing = debounced(() => {
    const [values, upTo] = [typed(), asked]
    const keep = async (drafts: FormDrafts, key: string) => {
      await drafts.keep(key, values)
      kept = upTo
    }
    // one that nobody catches is said by the app (watch-errors): the line has caught its own, and not what follows it
    void inTurn(keep).then(() => undefined)
  }, STORAGE_DEBOUNCE_MS)
  return {
    ...writing,
    soon() {
      asked += 1
      if (!isPaused) writing.soon()
    },
    isKept: () => asked === kept,
    pause() {
      isPaused = true
      writing.cancel()
    },
    resume() {
      isPaused = false
      if (asked !== kept) writing.soon()
    },
  }
}
