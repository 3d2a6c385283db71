/** One round of the lane of photos (`photo-lane.ts`). */
import { UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import type { Outcome } from '../transport/outcome.ts'
import { limitConcurrency } from '../lib/limit-concurrency.ts'
import { isUnclear } from '../queue/own-fault.ts'
import type { Step } from '../queue/drain.ts'
import { isFull } from '../storage/storage-trouble.ts'
import type { PhotoStore } from './photo-store.ts'

export interface RoundParts {
  store: Pick<PhotoStore, 'unsent'>
  /** Brings one photo to where it is wanted. */
  send: (key: string) => Promise<Step>
  isStopped: () => boolean
  problem: (error: unknown) => void
  /** Photos whose last answer was of no use, or which the device did not let go, the latest last. */
  unclear: Set<string>
}

export interface PhotoRound {
  /** What was saved meanwhile joins in. */
  join(): Promise<void>
  /** @returns what stood in the way */
  run(): Promise<Outcome | null>
}

/** What stopped this photo would stop every photo. */
const isNoWay = ({ kind }: Outcome) => ['unreachable', 'throttled', 'unauthorized'].includes(kind)

/** A full disk or an expired lock counts as a call with unknown outcome. */
const NO_END: Outcome = { kind: 'unknown', status: 0 }

/** One attempt for each photo that is unsent now or joins in. */
export function createPhotoRound({ store, send, isStopped, problem, unclear }: RoundParts): PhotoRound {
  const inTurn = limitConcurrency(UPLOADS_AT_ONCE)
  const suspects = [...unclear]
  const tried = new Set(suspects)
  const begun: Promise<void>[] = []
  let blocked: Outcome | null = null
  let over = false
  let isDiskFull = false
  const attempt = async (key: string) => {
    if (isStopped() || isDiskFull || (blocked && isNoWay(blocked))) return
    const step = await send(key).catch((error: unknown): Step => {
      problem(error)
      // the others' writes would fail as well: they go first the next time (RULES ST4)
      isDiskFull ||= isFull(error)
      return { kind: 'blocked', outcome: NO_END }
    })
    const outcome = step.kind === 'blocked' ? step.outcome : null
    if (outcome?.kind !== 'unreachable') unclear.delete(key)
    if (outcome && (isUnclear(outcome) || outcome === NO_END)) unclear.add(key)
    if (outcome && (!blocked || isNoWay(outcome))) blocked = outcome
  }
  const begin = (key: string) => inTurn(() => attempt(key)).catch(problem)
  const join = async () => {
    const unsent = await store.unsent()
    for (const { key } of over ? [] : unsent)
      if (!tried.has(key)) {
        tried.add(key)
        begun.push(begin(key))
      }
  }
  return {
    join,
    async run() {
      await join()
      // the list grows while it is gone through
      for (const attempted of begun) await attempted
      // one after the other: beside an upload their short questions would take the one call that may go on trial
      for (const key of suspects) await begin(key)
      for (const attempted of begun) await attempted
      over = true
      return blocked
    },
  }
}
