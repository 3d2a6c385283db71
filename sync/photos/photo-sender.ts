/**
 * Sends the photos that RxDB's push gives (`changes/push-handler.ts`), beside the records' queue, never in front of it (RULES
 * OR1). Up to three go at once, in the order of saving; what is saved meanwhile joins in (`photo-round.ts`). One photo that fails
 * holds up no other; where there is no way at all, nothing more is begun, and the handler waits at its gate (RULES OC4).
 */
import type { WithDeleted } from 'rxdb/plugins/core'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { GateClosed, type Gate } from '#sync/scheduler/gate.ts'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { AgeCheck } from '#sync/changes/age-check.ts'
import type { Place } from '#sync/changes/change-store.ts'
import { isUnclear } from '#sync/changes/failure-attribution.ts'
import { createPushHandler, type HandlerParts } from '#sync/changes/push-handler.ts'
import type { Step } from '#sync/changes/send-queue.ts'
import { createPhotoRound, type PhotoRound, type RoundParts } from './photo-round.ts'
import type { PhotoStore } from './photo-store.ts'

interface Parts extends HandlerParts, Pick<RoundParts, 'send' | 'isStopped'> {
  gate: Gate
  ageCheck: AgeCheck
  store: Pick<PhotoStore, 'unsent'>
  /** Carries out what the user has decided of these. */
  grant: (keys: readonly string[]) => Promise<void>
  /** How much the file store has accepted. */
  accepted: () => number
}

/** The handler of the push of photos. `wake`: the photos that are left are gone through again after so long. */
export function createPhotoSender(parts: Parts): ReturnType<typeof createPushHandler> {
  const { store, grant, accepted, ageCheck, isStopped, failed } = parts
  const given = new Map<string, Place>()
  const unclear = new Set<string>()
  let round: PhotoRound | null = null

  async function unsent(): Promise<PhotoRecord[]> {
    const found = await store.unsent(given.keys())
    const open = new Set(found.map(({ key }) => key))
    for (const key of given.keys()) if (!open.has(key)) given.delete(key)
    return found
  }
  async function decide(): Promise<void> {
    const wished = (await unsent()).filter(({ wish }) => wish !== 'none')
    await grant(wished.map(({ key }) => key))
  }
  async function send(): Promise<Step> {
    const late = await ageCheck()
    if (late) return late
    const before = accepted()
    round = createPhotoRound({ ...parts, unsent, problem, unclear })
    const blocked = await round.run().finally(() => (round = null))
    if (!blocked) return { kind: 'done' }
    if (!isUnclear(blocked) || accepted() === before) return { kind: 'blocked', outcome: blocked }
    // the file store does others: what is left holds up nobody that is saved meanwhile (RULES OR3)
    handler.wake(RETRY_MAX_MS)
    return { kind: 'done' }
  }
  const problem = (error: unknown) => {
    // what is under way when the database closes fails, and is in doubt at the next start (RULES OC3)
    if (!isStopped() && !(error instanceof GateClosed)) failed(error)
  }
  async function joined(): Promise<void> {
    await round?.join()
    await decide()
    await round?.join()
  }
  const handler = createPushHandler({
    ...parts,
    given,
    open: async () => (await store.unsent()).map(photoFacts),
    decide,
    send,
  })
  return {
    ...handler,
    wrote(place) {
      given.set(place.id, place)
      handler.wrote(place)
      if (round) void joined().catch(problem)
    },
  }
}

/** Nothing is sent of a photo any more. */
export const isPhotoDone = ({ unsent, _deleted }: Partial<WithDeleted<PhotoRecord>>): boolean =>
  _deleted === true || unsent === 'no'
