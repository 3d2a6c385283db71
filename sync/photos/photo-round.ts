/**
 * One round through the photos that are unsent (`photo-sender.ts`). What had an answer of no use goes after the others have ended
 * the next time: where the circuit lets one call go on trial (OC10), it is theirs.
 */
import { filter, firstValueFrom, mergeMap, share, Subject, tap } from 'rxjs'
import { UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import type { Outcome } from '../transport/outcome.ts'
import { isUnclear } from '#sync/changes/failure-attribution.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import { isFull } from '../storage/storage-trouble.ts'
import type { PhotoStore } from './photo-store.ts'

export interface RoundParts {
  /** What was given and is unsent, in the order of saving. */
  unsent: PhotoStore['unsent']
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
  /** @returns what blocked it */
  run(): Promise<Outcome | null>
}

/** What stopped this photo would stop every photo. */
const isNoWay = ({ kind }: Outcome) => ['unreachable', 'throttled', 'unauthorized'].includes(kind)

/** A full disk or an expired lock counts as a call with unknown outcome. */
const NO_END: Outcome = { kind: 'unknown', status: 0 }

/** One attempt for each photo that is unsent now or joins in. */
export function createPhotoRound({ unsent, send, isStopped, problem, unclear }: RoundParts): PhotoRound {
  const due$ = new Subject<string>()
  let unfinished = 0
  const suspects = [...unclear]
  const tried = new Set(suspects)
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
  const idle$ = due$.pipe(
    mergeMap((key) => attempt(key).catch(problem), UPLOADS_AT_ONCE),
    tap(() => (unfinished -= 1)),
    filter(() => unfinished === 0),
    share(),
  )
  const idle = async () => unfinished === 0 || firstValueFrom(idle$)
  const begin = (key: string) => {
    unfinished += 1
    due$.next(key)
  }
  const join = async () => {
    const photos = await unsent()
    for (const { key } of over ? [] : photos)
      if (!tried.has(key)) {
        tried.add(key)
        begin(key)
      }
  }
  return {
    join,
    async run() {
      const attempts = idle$.subscribe()
      await join()
      await idle()
      // one after the other: beside an upload their short questions would take the one call that may go on trial
      for (const key of suspects) {
        begin(key)
        await idle()
      }
      attempts.unsubscribe()
      over = true
      return blocked
    },
  }
}
