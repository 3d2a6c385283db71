/**
 * Sends the photos that RxDB pushes (`changes/push-handler.ts`), up to three at once, in the order of saving (RULES
 * OR1). A photo that fails delays no other photo, unless no call can succeed at all (OC4). A photo with an unclear
 * answer comes last in the next run, so that the circuit breaker's trial call (OC10) goes to another photo.
 */
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
  applyUserRequests: (keys: readonly string[]) => Promise<void>
  /** Sends one photo until the file store has its current state, or a call fails. */
  send: (key: string) => Promise<Step>
  isStopped: () => boolean
  /** Number of writes that the file store has accepted. */
  accepted: () => number
}

export function createPhotoSender(parts: Parts): PushHandler {
  const { store, accepted, ageCheck, isStopped } = parts
  const pending = new Map<string, ChangeRef>()
  /** Keys of photos whose last answer was unclear or that failed on the device. The newest failure is last. */
  const unclear = new Set<string>()
  let round: Round | null = null

  async function unsent(): Promise<string[]> {
    // The pending photos are listed before the read, so that a photo saved during the read stays pending.
    const pendingKeys = [...pending.keys()]
    const keys = (await store.unsent(pendingKeys)).map(({ key }) => key)
    for (const key of pendingKeys) if (!keys.includes(key)) pending.delete(key)
    return keys
  }
  const failed = (error: unknown) => {
    // Closing the database makes the current calls fail. The next start treats them as ambiguous (RULES OC3).
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
    // The file store accepts other photos, so the skipped ones are sent later, without a pause now (RULES OR3).
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

/** True if the photo needs no more sending. */
export const isPhotoDone = ({ unsent, _deleted }: { unsent?: string; _deleted?: boolean }): boolean =>
  _deleted === true || unsent === 'no'

/** True for a failure that all other photos would share. */
const blocksAll = ({ kind }: Outcome) => ['unreachable', 'throttled', 'unauthorized'].includes(kind)

/** Outcome of an error on the device, such as a full disk or a lease that has ended. */
const DEVICE_ERROR: Outcome = { kind: 'unknown', status: 0 }

type Round = ReturnType<typeof createRound>

interface RoundParts extends Pick<Parts, 'send' | 'isStopped' | 'failed'> {
  /** Keys of unsent photos, in the order of saving. */
  unsent: () => Promise<string[]>
  unclear: Set<string>
}

/** Creates a run, which attempts each photo once: those that are unsent now, and those that `join` adds. */
function createRound({ unsent, send, isStopped, failed, unclear }: RoundParts) {
  const due: string[] = []
  const underWay = new Set<Promise<void>>()
  const suspects = [...unclear]
  /** Keys of photos that this run has attempted or will attempt. */
  const tried = new Set(suspects)
  let blocked: Outcome | null = null
  let [isOver, isDiskFull] = [false, false]

  async function attempt(key: string): Promise<void> {
    if (isStopped() || isDiskFull || (blocked && blocksAll(blocked))) return
    const step = await send(key).catch((error: unknown): Step => {
      // On a full device every write fails, so the run ends. The other photos are first in the next run (RULES ST4).
      isDiskFull ||= isFull(error)
      failed(error)
      return { kind: 'blocked', outcome: DEVICE_ERROR }
    })
    const outcome = step.kind === 'blocked' ? step.outcome : null
    if (outcome?.kind !== 'unreachable') unclear.delete(key)
    if (outcome && (isUnclear(outcome) || outcome === DEVICE_ERROR)) unclear.add(key)
    if (outcome && (!blocked || blocksAll(outcome))) blocked = outcome
  }
  function begin(...keys: readonly string[]): void {
    due.push(...keys)
    while (underWay.size < UPLOADS_AT_ONCE && due.length > 0) {
      const ended: Promise<void> = attempt(due.shift() ?? '').finally(() => {
        underWay.delete(ended)
        begin()
      })
      underWay.add(ended)
    }
  }
  const idle = async () => {
    while (underWay.size > 0) await Promise.race(underWay)
  }
  /** Adds photos that were saved since the run began. */
  async function join(): Promise<void> {
    const added = (await unsent()).filter((key) => !isOver && !tried.has(key))
    for (const key of added) tried.add(key)
    begin(...added)
  }
  return {
    join,
    /** @returns the outcome that blocked the run; null if all calls succeeded */
    async run(): Promise<Outcome | null> {
      await join()
      await idle()
      // Photos with an unclear last answer go one at a time, because the circuit breaker admits only one trial call.
      for (const key of suspects) {
        begin(key)
        await idle()
      }
      isOver = true
      return blocked
    },
  }
}
