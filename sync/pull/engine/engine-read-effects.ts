/**
 * The effects of the pull engine's reads, each with its merge, its answer and its failure (decisions/pull).
 */
import { TICKS } from '#sync/lib/ticks.ts'
import { saysNothingOf } from './engine-reads.ts'
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

/** Creates the effects. Each read lasts until its documents are there, or its failure is reported. */
export function createReadEffects<D>(parts: EngineParts, tell: (event: PullEvent<D>) => void) {
  const { inFlight, answer } = parts
  const running = new Map<number, Running<D>>()
  let offering: Work<D> | null = null

  /** Runs one step of a read. Stopping the sync waits for it. */
  function go(id: number, doing: (one: Running<D>) => Promise<PullEvent<D>>): void {
    const one = running.get(id)
    if (!one) return
    void inFlight.run(() =>
      doing(one)
        .catch((error: unknown) => failureOf(parts, id, error))
        .then(tell),
    )
  }

  function run(command: ReadCommand): void {
    const { id } = command
    switch (command.kind) {
      case 'read':
        if (offering) running.set(id, { work: offering, controller: new AbortController() })
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
    /** Sets the offered work while the engine decides whether to begin it. */
    offered(work: Work<D>, decide: () => void) {
      offering = work
      decide()
      offering = null
    },
  }
}

/**
 * The event for a failed read: the CRM could not be read, or there is a bug, or the device's storage failed.
 */
function failureOf(parts: EngineParts, id: number, error: unknown): PullEvent<never> {
  if (!(error instanceof PullAgain)) return { kind: 'broke', id, error }
  const { gate, accepted, ticks = TICKS } = parts
  const { outcome } = error
  const random = saysNothingOf(outcome) ? 0 : parts.random()
  const moment = { now: ticks.now(), accepted: accepted() }
  return { kind: 'failed', id, outcome, error, isHeld: gate.isHeld(), random, ...moment }
}
