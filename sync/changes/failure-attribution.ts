/**
 * Attributes an unclear answer (RULES OC7, OC8): a 5xx, a page, a refusal without a reason. The change itself is at
 * fault only if the CRM accepted another write since the previous unclear answer to the same change. Otherwise the
 * CRM, or a gateway before it, is not answering, and the queue waits.
 *
 *     accepted ──→ no change is suspected; a change that gets an unclear answer again is at fault
 *     5xx, a page ──→ unclear; after two in a row other changes are sent first
 *     refused without a reason ──→ 失敗; after three in a row all of them are unclear, and the queue is paused
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'

/**
 * If the CRM refuses this many different changes in a row and gives no reason, the CRM is at fault and not the changes.
 */
const REFUSALS_BEFORE_PAUSE = 3
/** Statuses of refusals in the contract (RULES OC2). */
const REFUSALS: readonly number[] = [200, 202, 400, 404, 409, 413, 422]

/** After this many unclear answers in a row other changes are sent first (RULES OR3). */
const ANSWERS_BEFORE_OTHERS = 2

/** A change whose last answer was unclear. */
interface Unclear {
  /** Number of writes that the CRM had accepted when it gave that answer. */
  accepted: number
  /** Number of unclear answers in a row; 0 after any other end of a call. */
  times: number
}

interface FaultState {
  /** Number of writes that the CRM has accepted. */
  accepted: number
  /** By change id, the most recent last. */
  unclear: ReadonlyMap<string, Unclear>
  /** Change ids of each call refused without a reason since the last acceptance or refusal with a reason. */
  refused: readonly (readonly string[])[]
}

/** The state when the app starts: no change is suspected. */
export const NO_FAULTS: FaultState = { accepted: 0, unclear: new Map(), refused: [] }

export const afterAccepted = ({ accepted, unclear }: FaultState, ids: readonly string[]): FaultState => ({
  accepted: accepted + 1,
  unclear: new Map([...unclear].filter(([id]) => !ids.includes(id))),
  refused: [],
})

function afterUnclear(state: FaultState, id: string): FaultState {
  const times = (state.unclear.get(id)?.times ?? 0) + 1
  const others = [...state.unclear].filter(([each]) => each !== id)
  return { ...state, unclear: new Map(others).set(id, { accepted: state.accepted, times }) }
}

const withUnclear = (state: FaultState, ids: readonly string[], change: Partial<Unclear>): FaultState => ({
  ...state,
  unclear: new Map(
    [...state.unclear].map(([id, known]) => [id, ids.includes(id) ? { ...known, ...change } : known]),
  ),
})

/** Restarts the count of unclear answers to these changes, after a call without an answer or with a clear one. */
export const afterOther = (state: FaultState, ids: readonly string[]): FaultState =>
  withUnclear(state, ids, { times: 0 })

/** Lets the next unclear answer to these changes count as their own fault, because the device could not store this one. */
export const afterUnstored = (state: FaultState, ids: readonly string[]): FaultState =>
  withUnclear(state, ids, { accepted: -1 })

/** A refusal with a reason ends the count of refusals in a row. */
export const afterReason = (state: FaultState): FaultState => ({ ...state, refused: [] })

export const afterRefusal = (state: FaultState, ids: readonly string[]): FaultState => ({
  ...state,
  refused: [...state.refused.filter((each) => !each.some((id) => ids.includes(id))), ids],
})

/** True if an unclear answer to this change now would be its own fault. */
export const isOwnFault = ({ unclear, accepted }: FaultState, id: string): boolean =>
  (unclear.get(id)?.accepted ?? Infinity) < accepted

/** True if other changes are sent before this one. */
export const isSuspected = ({ unclear }: FaultState, id: string): boolean =>
  (unclear.get(id)?.times ?? 0) >= ANSWERS_BEFORE_OTHERS

/** True if so many refusals in a row had no reason that the queue is paused. */
export const isPaused = ({ refused }: FaultState): boolean => refused.length >= REFUSALS_BEFORE_PAUSE

/** True if a person can act on the refusal: it has a reason and a status of the CRM itself, or it is a 413. */
export const hasReason = ({ status, reasons }: { status: number; reasons: readonly string[] }): boolean =>
  status === 413 || (reasons.length > 0 && REFUSALS.includes(status))

/** True for an answer that neither accepts nor refuses. Status 0 means that there was no answer. */
export const isUnclear = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unknown' && status > 0

/**
 * Sorts changes whose last answer was unclear after the others, the oldest answer first. The first change stays first
 * until it is suspected itself. Changes of one record stay together and in order (RULES OR2).
 */
export function bySuspicion(queue: readonly QueueItem[], state: FaultState): QueueItem[] {
  const ids = [...state.unclear].filter(([, { times }]) => times > 0).map(([id]) => id)
  const rank = new Map<string, number>()
  const recordOf = ({ record }: QueueItem) => `${record.resource} ${record.key}`
  for (const item of queue)
    rank.set(recordOf(item), Math.max(rank.get(recordOf(item)) ?? -1, ids.indexOf(item.change.id)))
  const sorted = (items: readonly QueueItem[]) =>
    items.toSorted((a, b) => (rank.get(recordOf(a)) ?? 0) - (rank.get(recordOf(b)) ?? 0))
  const [first, ...others] = queue
  if (!first || isSuspected(state, first.change.id)) return sorted(queue)
  return [first, ...sorted(others)]
}

export type Faults = ReturnType<typeof createFaults>

/** Creates the fault state of one queue. It is in memory only: after a start no change is suspected. */
export function createFaults() {
  let now = NO_FAULTS
  return {
    get now() {
      return now
    },
    fold(step: (state: FaultState) => FaultState): void {
      now = step(now)
    },
    /** Records an unclear answer to these changes. @returns true if it is their own fault */
    unclear(ids: readonly string[]): boolean {
      const isOwn = ids.some((id) => isOwnFault(now, id))
      for (const id of ids) now = afterUnclear(now, id)
      return isOwn
    },
  }
}

export type LateChecks = ReturnType<typeof createLateChecks>

/**
 * Decides when a create without an answer may be sent again (RULES OC9). A slow CRM may apply a call after the app
 * has given it up, so a record that is absent at first may appear later. Two read-backs, at least one time limit
 * apart, must find it absent. The state is in memory and uses a monotonic clock. After a start both read-backs are
 * repeated, the second one time limit later than usual, because the time of the call is unknown.
 *
 *     no answer ─→ first read-back: absent ─→ one time limit ─→ second read-back: absent ─→ may be sent again
 *
 * @param elapsed milliseconds of a monotonic clock
 * @param gapMs the time limit of a call, in milliseconds
 */
export function createLateChecks(elapsed: () => number, gapMs: number) {
  /** By change id, the time of the first read-back that found nothing; in the future after a start. */
  const absentSince = new Map<string, number>()
  const calledIds = new Set<string>()
  const untilGapOver = (since: number) => Math.max(0, Math.ceil(since + gapMs - elapsed()))
  return {
    /** Records that a call of this change left: earlier read-backs no longer count. */
    callLeft(id: string): void {
      calledIds.add(id)
      absentSince.delete(id)
    },
    /** Records that the CRM itself answered, so that its call has ended: one read-back is enough. */
    callEnded: (id: string): void => void absentSince.set(id, -Infinity),
    /** Milliseconds until the second read-back; 0 if a read-back is due now. */
    remainingMs: (id: string): number => untilGapOver(absentSince.get(id) ?? -Infinity),
    /** Records a read-back that found nothing. @returns milliseconds until the second read-back; 0 if this was the second one */
    foundAbsent(id: string): number {
      const since = absentSince.get(id) ?? elapsed() + (calledIds.has(id) ? 0 : gapMs)
      absentSince.set(id, since)
      return untilGapOver(since)
    },
  }
}

/** True if no answer came, or a gateway gave up waiting: the CRM may still be processing the call. */
export const isLost = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unreachable' || (kind === 'unknown' && [0, 502, 504].includes(status))
