/**
 * Sends the photos that RxDB pushes (`changes/push-handler.ts`), beside the queue of records (RULES OR1). Up to three
 * are sent at once, in the order of saving, and photos saved during a run join it. A photo that fails delays no
 * other. If no call can succeed at all, no other photo begins, and the handler waits at its gate (RULES OC4). A photo
 * whose answer was unclear comes last in the next run, so that the circuit breaker's one trial call (OC10) goes to
 * another photo.
 */
import { filter, firstValueFrom, mergeMap, share, Subject, tap } from 'rxjs'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import { RETRY_MAX_MS, UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import type { AgeCheck } from '#sync/changes/sender.ts'
import type { ChangeRef } from '#sync/changes/change-store.ts'
import { isUnclear } from '#sync/changes/failure-attribution.ts'
import { createPushHandler, type HandlerParts, type PushHandler } from '#sync/changes/push-handler.ts'
import type { Step } from '#sync/changes/send-adapter.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import { isFull } from '../storage/storage-trouble.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { PhotoStore } from './photo-store.ts'

interface Parts extends HandlerParts {
  gate: Gate
  ageCheck: AgeCheck
  store: Pick<PhotoStore, 'unsent' | 'states'>
  /** Applies the user's requests for these photos. */
  applyUserRequests: (keys: readonly string[]) => Promise<void>
  /** Sends one photo until the file store has its wanted state, or an act is blocked. */
  send: (key: string) => Promise<Step>
  isStopped: () => boolean
  /** Number of writes that the file store has accepted. */
  accepted: () => number
}

/** Creates the handler for the push of photos. */
export function createPhotoSender(parts: Parts): PushHandler {
  const { store, accepted, ageCheck, isStopped } = parts
  const pending = new Map<string, ChangeRef>()
  /** Keys of photos whose last answer was unclear, or which failed on the device, the most recent last. */
  const unclear = new Set<string>()
  let round: Round | null = null

  async function unsent(): Promise<string[]> {
    // photos saved during the read are not in its result
    const pendingKeys = [...pending.keys()]
    const keys = (await store.unsent(pendingKeys)).map(({ key }) => key)
    for (const key of pendingKeys) if (!keys.includes(key)) pending.delete(key)
    return keys
  }
  const failed = (error: unknown) => {
    // calls in progress fail when the database closes; they are ambiguous at the next start (RULES OC3)
    if (!isStopped() && !(error instanceof GateClosed)) parts.failed(error)
  }
  async function send(): Promise<Step> {
    const unknownAge = await ageCheck()
    if (unknownAge) return unknownAge
    const acceptedBefore = accepted()
    round = createRound({ ...parts, unsent, failed, unclear })
    const blocked = await round.run().finally(() => (round = null))
    if (!blocked) return { kind: 'done' }
    if (!isUnclear(blocked) || accepted() === acceptedBefore) return { kind: 'blocked', outcome: blocked }
    // the file store accepts others, so the skipped photos must not delay later saves (RULES OR3)
    handler.wake(RETRY_MAX_MS)
    return { kind: 'done' }
  }
  const handler = createPushHandler({
    ...parts,
    states: store.states,
    pending,
    open: async () => (await store.unsent()).map(photoFacts),
    send,
  })
  async function joinRound(): Promise<void> {
    await round?.join()
    await handler.decide()
    await round?.join()
  }
  return {
    ...handler,
    enqueue(ref) {
      handler.enqueue(ref)
      if (round) void joinRound().catch(failed)
    },
  }
}

/** True if nothing of the photo remains to be sent. */
export const isPhotoDone = ({ unsent, _deleted }: { unsent?: string; _deleted?: boolean }): boolean =>
  _deleted === true || unsent === 'no'

/** True for a failure that every other photo would have as well. */
const blocksAll = ({ kind }: Outcome) => ['unreachable', 'throttled', 'unauthorized'].includes(kind)

/** The outcome of an error on the device, such as a full disk or a lock that has ended. */
const DEVICE_ERROR: Outcome = { kind: 'unknown', status: 0 }

type Round = ReturnType<typeof createRound>

interface RoundParts extends Pick<Parts, 'send' | 'isStopped' | 'failed'> {
  /** Keys of unsent photos, in the order of saving. */
  unsent: () => Promise<string[]>
  unclear: Set<string>
}

/** A run with one attempt for each photo that is unsent now or joins. */
function createRound({ unsent, send, isStopped, failed, unclear }: RoundParts) {
  const due$ = new Subject<string>()
  /** Number of photos that have begun or wait for a place. */
  let unfinished = 0
  const suspects = [...unclear]
  /** Keys of the photos that this run has tried or will try, so that no photo is tried twice. */
  const tried = new Set(suspects)
  let blocked: Outcome | null = null
  let isOver = false
  let isDiskFull = false
  const attempt = async (key: string) => {
    if (isStopped() || isDiskFull || (blocked && blocksAll(blocked))) return
    const step = await send(key).catch((error: unknown): Step => {
      failed(error)
      // On a full disk all writes fail, so this run ends. Photos that were not tried are first in the next run (RULES ST4).
      isDiskFull ||= isFull(error)
      return { kind: 'blocked', outcome: DEVICE_ERROR }
    })
    const outcome = step.kind === 'blocked' ? step.outcome : null
    if (outcome?.kind !== 'unreachable') unclear.delete(key)
    if (outcome && (isUnclear(outcome) || outcome === DEVICE_ERROR)) unclear.add(key)
    if (outcome && (!blocked || blocksAll(outcome))) blocked = outcome
  }
  const idle$ = due$.pipe(
    mergeMap((key) => attempt(key).catch(failed), UPLOADS_AT_ONCE),
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
    for (const key of await unsent())
      if (!isOver && !tried.has(key)) {
        tried.add(key)
        begin(key)
      }
  }
  return {
    /** Adds the photos that were saved since the run began. */
    join,
    /** @returns the outcome that blocked the run; null if nothing did */
    async run(): Promise<Outcome | null> {
      const attempts = idle$.subscribe()
      await join()
      await idle()
      // one at a time, because their reads beside a long upload would use up the circuit breaker's one trial call
      for (const key of suspects) {
        begin(key)
        await idle()
      }
      attempts.unsubscribe()
      isOver = true
      return blocked
    },
  }
}
