/**
 * The lane of photos: beside the records' queue, never in front of it (RULES OR1). Up to three photos go at once, in
 * the order of saving; what is saved meanwhile joins in. One photo that fails holds up no other; where there is no way
 * at all, nothing more is begun, and the lane waits at its gate (RULES OC4). What had an answer of no use goes after the
 * others have ended the next time: where the circuit lets one call go on trial (OC10), it is theirs.
 */
import { GateClosed, type Gate } from '#sync/scheduler/gate.ts'
import type { AgeCheck } from '#sync/changes/age-check.ts'
import { throughGate, type Step } from '#sync/changes/send-queue.ts'
import { isUnclear } from '#sync/changes/failure-attribution.ts'
import { createPhotoRound, type PhotoRound, type RoundParts } from './photo-round.ts'

export interface PhotoLane {
  /** Something may have become due: a photo was saved, a record has reached the CRM. Never waits. */
  kick(): void
  stop(): void
}

interface Parts extends Pick<RoundParts, 'store' | 'send'> {
  gate: Gate
  ageCheck?: AgeCheck
  /** How much the file store has accepted. */
  accepted: () => number
  /** Kicks again after a while. */
  later: () => void
  /** Told of what is a bug. */
  report: (problem: string) => void
}

export function createPhotoLane({ store, gate, send, ageCheck, accepted, later, report }: Parts): PhotoLane {
  let stopped = false
  let running = false
  let again = false
  let round: PhotoRound | null = null
  const unclear = new Set<string>()

  const problem = (error: unknown) => {
    // what is under way when the database closes fails, and is in doubt at the next start (RULES OC3)
    if (!stopped && !(error instanceof GateClosed)) report(`photos: ${String(error)}`)
  }

  async function drain(): Promise<Step> {
    const early = await ageCheck?.(async () => (await store.unsent()).length > 0)
    if (early) return early
    const before = accepted()
    round = createPhotoRound({ store, send, problem, unclear, isStopped: () => stopped })
    const blocked = await round.run().finally(() => (round = null))
    if (!blocked) return { kind: 'done' }
    if (!isUnclear(blocked) || accepted() === before) return { kind: 'blocked', outcome: blocked }
    // the file store does others: what is left holds up nobody that is saved meanwhile (RULES OR3)
    if (!again) later()
    return { kind: 'done' }
  }

  async function run(): Promise<void> {
    do {
      again = false
      const step = await throughGate(gate, drain)
      again ||= step.kind === 'blocked'
    } while (again && !stopped)
  }

  return {
    kick() {
      again = true
      if (stopped) return
      if (running) return void round?.join().catch(problem)
      running = true
      void run()
        .catch((error: unknown) => {
          problem(error)
          // the device could not be read: nothing else would ever bring the lane back
          later()
        })
        .finally(() => {
          running = false
        })
    },
    stop() {
      stopped = true
    },
  }
}
