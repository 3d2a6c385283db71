/**
 * Sends the photos that RxDB's push gives (`changes/push-handler.ts`), beside the records' queue, never in front of it (RULES
 * OR1). Up to three go at once, in the order of saving; what is saved meanwhile joins in. One photo that fails holds up no other;
 * where there is no way at all, nothing more is begun, and the handler waits at its gate (RULES OC4). What had an answer of no use
 * goes after the others have ended the next time: where the circuit lets one call go on trial (OC10), it is theirs.
 */
import { filter, firstValueFrom, mergeMap, share, Subject, tap } from 'rxjs'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import { RETRY_MAX_MS, UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import type { AgeCheck } from '#sync/changes/age-check.ts'
import type { Place } from '#sync/changes/change-store.ts'
import { isUnclear } from '#sync/changes/failure-attribution.ts'
import { createPushHandler, type HandlerParts, type PushHandler } from '#sync/changes/push-handler.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import { GateClosed, type Gate } from '#sync/scheduler/gate.ts'
import { isFull } from '../storage/storage-trouble.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { PhotoStore } from './photo-store.ts'

interface Parts extends HandlerParts {
  gate: Gate
  ageCheck: AgeCheck
  store: Pick<PhotoStore, 'unsent' | 'states'>
  /** Carries out what the user has decided of these. */
  grant: (keys: readonly string[]) => Promise<void>
  /** Brings one photo to where it is wanted. */
  send: (key: string) => Promise<Step>
  isStopped: () => boolean
  /** How much the file store has accepted. */
  accepted: () => number
}

/** The handler of the push of photos. */
export function createPhotoSender(parts: Parts): PushHandler {
  const { store, accepted, ageCheck, isStopped } = parts
  const given = new Map<string, Place>()
  /** Photos whose last answer was of no use, or which the device did not let go, the latest last. */
  const unclear = new Set<string>()
  let round: Round | null = null

  async function unsent(): Promise<string[]> {
    // what is saved meanwhile is not in the answer
    const asked = [...given.keys()]
    const keys = (await store.unsent(asked)).map(({ key }) => key)
    for (const key of asked) if (!keys.includes(key)) given.delete(key)
    return keys
  }
  const failed = (error: unknown) => {
    // what is under way when the database closes fails, and is in doubt at the next start (RULES OC3)
    if (!isStopped() && !(error instanceof GateClosed)) parts.failed(error)
  }
  async function send(): Promise<Step> {
    const late = await ageCheck()
    if (late) return late
    const before = accepted()
    round = createRound({ ...parts, unsent, failed, unclear })
    const blocked = await round.run().finally(() => (round = null))
    if (!blocked) return { kind: 'done' }
    if (!isUnclear(blocked) || accepted() === before) return { kind: 'blocked', outcome: blocked }
    // the file store does others: what is left holds up nobody that is saved meanwhile (RULES OR3)
    handler.wake(RETRY_MAX_MS)
    return { kind: 'done' }
  }
  const handler = createPushHandler({
    ...parts,
    states: store.states,
    given,
    open: async () => (await store.unsent()).map(photoFacts),
    send,
  })
  async function joined(): Promise<void> {
    await round?.join()
    await handler.decide()
    await round?.join()
  }
  return {
    ...handler,
    wrote(place) {
      handler.wrote(place)
      if (round) void joined().catch(failed)
    },
  }
}

/** Nothing is sent of a photo any more. */
export const isPhotoDone = ({ unsent, _deleted }: { unsent?: string; _deleted?: boolean }): boolean =>
  _deleted === true || unsent === 'no'

/** What stopped this photo would stop every photo. */
const isNoWay = ({ kind }: Outcome) => ['unreachable', 'throttled', 'unauthorized'].includes(kind)

/** A full disk or an expired lock counts as a call with unknown outcome. */
const NO_END: Outcome = { kind: 'unknown', status: 0 }

type Round = ReturnType<typeof createRound>

interface RoundParts extends Pick<Parts, 'send' | 'isStopped' | 'failed'> {
  /** Keys in the order of saving. */
  unsent: () => Promise<string[]>
  unclear: Set<string>
}

/** One attempt for each photo that is unsent now or joins in. */
function createRound({ unsent, send, isStopped, failed, unclear }: RoundParts) {
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
      failed(error)
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
      if (!over && !tried.has(key)) {
        tried.add(key)
        begin(key)
      }
  }
  return {
    /** What was saved meanwhile joins in. */
    join,
    /** @returns what blocked it */
    async run(): Promise<Outcome | null> {
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
