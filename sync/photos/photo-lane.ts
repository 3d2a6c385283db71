/**
 * The lane of photos: beside the records' queue, never in front of it (RULES OR1). Up to three photos go at once, in
 * the order of saving; what is saved meanwhile joins in. One photo that fails holds up no other; where there is no way
 * at all, nothing more is begun, and the lane waits at its gate (RULES OC4). What had an answer of no use goes after the
 * others have ended the next time: where the circuit lets one call go on trial (OC10), it is theirs.
 */
import { UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import type { Outcome } from '../transport/outcome.ts'
import { limitConcurrency } from '../runtime/limit-concurrency.ts'
import { GateClosed, type Gate } from '../transport/gate.ts'
import { isUnclear } from '../queue/own-fault.ts'
import type { Step } from '../queue/sender.ts'
import type { PhotoStore } from './photo-store.ts'

export interface PhotoLane {
  /** Something may have become due: a photo was saved, a record has reached the CRM. Never waits. */
  kick(): void
  stop(): void
}

interface Parts {
  store: PhotoStore
  gate: Gate
  /** Brings one photo to where it is wanted. */
  send: (key: string) => Promise<Step>
  /** How much the file store has accepted. */
  accepted: () => number
  /** Kicks again after a while. */
  later: () => void
  /** Told of what is a bug. */
  report: (problem: string) => void
}

/** No way for any photo, not only for this one. */
const NO_WAY: readonly Outcome['kind'][] = ['unreachable', 'throttled', 'unauthorized']

const idle = async (): Promise<void> => undefined

export function createPhotoLane({ store, gate, send, accepted, later, report }: Parts): PhotoLane {
  const inTurn = limitConcurrency(UPLOADS_AT_ONCE)
  let stopped = false
  let running = false
  let again = false
  let join = idle
  /** Photos whose last answer was of no use, the latest last. */
  const unclear = new Set<string>()

  const problem = (error: unknown) => {
    // what is under way when the database closes fails, and is in doubt at the next start (RULES OC3)
    if (!stopped && !(error instanceof GateClosed)) report(`photos: ${String(error)}`)
  }

  /** One attempt for each photo that is unsent now or joins in. @returns what stood in the way */
  async function round(): Promise<Outcome | null> {
    const suspects = [...unclear]
    const tried = new Set(suspects)
    const begun: Promise<void>[] = []
    let blocked: Outcome | null = null
    let over = false
    const attempt = async (key: string) => {
      if (stopped || (blocked && NO_WAY.includes(blocked.kind))) return
      const step = await send(key).catch((error: unknown): Step => {
        problem(error)
        // a full disk, a hold that ended: it comes back like a call that found no end
        return { kind: 'blocked', outcome: { kind: 'unknown', status: 0 } }
      })
      const isHeld = step.kind === 'blocked' && step.outcome.kind === 'unreachable'
      if (!isHeld) unclear.delete(key)
      if (step.kind === 'blocked' && isUnclear(step.outcome)) unclear.add(key)
      if (step.kind === 'blocked' && (!blocked || NO_WAY.includes(step.outcome.kind))) blocked = step.outcome
    }
    const begin = (key: string) => inTurn(() => attempt(key)).catch(problem)
    join = async () => {
      const unsent = await store.unsent()
      for (const { key } of over ? [] : unsent)
        if (!tried.has(key)) {
          tried.add(key)
          begun.push(begin(key))
        }
    }
    await join()
    // the list grows while it is gone through
    for (const attempted of begun) await attempted
    // one after the other: beside an upload their short questions would take the one call that may go on trial
    for (const key of suspects) await begin(key)
    for (const attempted of begun) await attempted
    over = true
    join = idle
    return blocked
  }

  async function run(): Promise<void> {
    for (;;) {
      again = false
      await gate.passed()
      const before = accepted()
      const blocked = await round()
      if (blocked && !(isUnclear(blocked) && accepted() > before)) {
        again = true
        gate.failed(blocked.kind === 'throttled' ? blocked.retryAfterMs : 0)
      } else gate.succeeded()
      // the file store does others: what is left holds up nobody that is saved meanwhile (RULES OR3)
      if (blocked && !again) later()
      if (!again || stopped) return
    }
  }

  return {
    kick() {
      again = true
      if (stopped) return
      if (running) return void join().catch(problem)
      running = true
      void run()
        .catch(problem)
        .finally(() => {
          running = false
        })
    },
    stop() {
      stopped = true
    },
  }
}
