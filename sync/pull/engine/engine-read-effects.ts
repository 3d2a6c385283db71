/**
 * Runs the pull engine's commands about reads: reading, merging, answering the screen's question, reporting a
 * failure (decisions/pull).
 */
import { TICKS } from '#sync/lib/ticks.ts'
import { isInconclusive } from './engine-reads.ts'
import type { Command, PullEvent } from './engine-state.ts'
import type { EngineParts, Reading, Work } from './engine-work.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'

type ReadCommand = Extract<
  Command<never>,
  { kind: 'read' | 'abort' | 'merge' | 'answer' | 'tell' | 'forget' }
>

interface Running<D> {
  work: Work<D>
  controller: AbortController
  reading?: Reading<D>
}

/** Creates the effects. A read is running until its documents are ready or its failure is reported. */
export function createReadEffects<D>(parts: EngineParts, dispatch: (event: PullEvent<D>) => void) {
  const { inFlight, answer } = parts
  const running = new Map<number, Running<D>>()
  let offeredWork: Work<D> | null = null

  /** Runs one step of a read. Stopping the sync waits for it. */
  function go(id: number, runStep: (one: Running<D>) => Promise<PullEvent<D>>): void {
    const one = running.get(id)
    if (!one) return
    void inFlight.run(() =>
      runStep(one)
        .catch((error: unknown) => failureOf(parts, id, error))
        .then(dispatch),
    )
  }

  function run(command: ReadCommand): void {
    const { id } = command
    switch (command.kind) {
      case 'read':
        if (offeredWork) running.set(id, { work: offeredWork, controller: new AbortController() })
        return go(id, async (one) => {
          one.reading = await one.work.read(one.controller.signal)
          return { kind: 'read', id, page: one.reading.page }
        })
      case 'abort':
        return running.get(id)?.controller.abort()
      case 'forget':
        return void running.delete(id)
      case 'merge':
        return go(id, async ({ reading }) => {
          const merged = await reading?.merge(command.how)
          return { kind: 'merged', id, docs: merged?.docs ?? [], answer: merged?.answer }
        })
      case 'answer':
        return go(id, async () => {
          await answer(command.answer)
          return { kind: 'ended', id }
        })
      case 'tell':
        return go(id, async ({ work }) => {
          if (command.answer) await answer(command.answer)
          await work.failed?.(command.outcome, command.tries)
          return { kind: 'ended', id }
        })
    }
  }
  return {
    run,
    /** Remembers the offered work during `decide`, because the `read` command does not contain it. */
    offered(work: Work<D>, decide: () => void) {
      offeredWork = work
      decide()
      offeredWork = null
    },
  }
}

/**
 * The event for an error of a read: `failed` if the CRM could not be read, `broke` if there is a bug or the
 * device's storage failed.
 */
function failureOf(parts: EngineParts, id: number, error: unknown): PullEvent<never> {
  if (!(error instanceof PullAgain)) return { kind: 'broke', id, error }
  const { gate, accepted, ticks = TICKS } = parts
  const { outcome } = error
  const random = isInconclusive(outcome) ? 0 : parts.random()
  const moment = { now: ticks.now(), accepted: accepted() }
  return { kind: 'failed', id, outcome, error, isHeld: gate.isBlocked(), random, ...moment }
}
