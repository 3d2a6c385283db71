/**
 * Whose fault an answer of no use is (RULES OC7, OC8): a 5xx, a page, a refusal that says no reason. It is the change's own
 * only where the CRM accepted another write since the same change's answer before; else the CRM, or what stands in front of
 * it, is not answering, and the queue waits.
 *
 *     accepted ──→ nothing is suspected, what ends like this again had its own fault
 *     5xx, a page ──→ unclear; after the second one in a row the others have their turn before it
 *     refused without a reason ──→ 失敗; the third one in a row ──→ all of them are unclear, the queue is paused
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'

/** So many different changes refused in a row without a reason are nobody's own fault. */
const REFUSALS_BEFORE_PAUSE = 3
/** Statuses of the refusals that the contract knows (RULES OC2). */
const REFUSALS: readonly number[] = [200, 202, 400, 404, 409, 413, 422]

/** So many answers of no use in a row, and the others have their turn (RULES OR3). */
const ANSWERS_BEFORE_OTHERS = 2

/** A change that had an answer of no use. */
interface Unclear {
  /** How many writes the CRM had accepted then. */
  accepted: number
  /** How many of its calls in a row were answered like that; 0 after one that had another end. */
  times: number
}

interface FaultState {
  /** How many writes the CRM has accepted. */
  accepted: number
  /** The latest last. */
  unclear: ReadonlyMap<string, Unclear>
  /** Calls refused without a reason since the CRM last accepted one, or gave a reason: the changes of each. */
  refused: readonly (readonly string[])[]
}

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

/** A call had no answer, or one that says when to come back: what comes next is not in a row with what came before. */
export const afterOther = (state: FaultState, ids: readonly string[]): FaultState => ({
  ...state,
  unclear: new Map(
    [...state.unclear].map(([id, known]) => [id, ids.includes(id) ? { ...known, times: 0 } : known]),
  ),
})

/** Own faults that the device's storage did not take: the next answer of no use is their own fault like this one. */
export const afterUntold = (state: FaultState, ids: readonly string[]): FaultState => ({
  ...state,
  unclear: new Map(
    [...state.unclear].map(([id, known]) => [id, ids.includes(id) ? { ...known, accepted: -1 } : known]),
  ),
})

/** Refused for a reason that a person can read, or for what it is: no change has to do with another's. */
export const afterReason = (state: FaultState): FaultState => ({ ...state, refused: [] })

export const afterRefusal = (state: FaultState, ids: readonly string[]): FaultState => ({
  ...state,
  refused: [...state.refused.filter((each) => !each.some((id) => ids.includes(id))), ids],
})

/** Whether an answer of no use that comes now is the change's own fault. */
export const isOwnFault = ({ unclear, accepted }: FaultState, id: string): boolean =>
  (unclear.get(id)?.accepted ?? Infinity) < accepted

/** Whether the others have their turn before it. */
export const isSuspected = ({ unclear }: FaultState, id: string): boolean =>
  (unclear.get(id)?.times ?? 0) >= ANSWERS_BEFORE_OTHERS

export const isPaused = ({ refused }: FaultState): boolean => refused.length >= REFUSALS_BEFORE_PAUSE

/** Whether a person can read why it was refused; the CRM, not what stands in front of it, knows these statuses. */
export const hasReason = ({ status, reasons }: { status: number; reasons: readonly string[] }): boolean =>
  status === 413 || (reasons.length > 0 && REFUSALS.includes(status))

/** An answer that says neither yes nor no. */
export const isUnclear = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unknown' && status > 0

/**
 * Those of whom nothing is suspected, then those tried longest ago; the first one stays the first until it is suspected
 * itself. What is of one record stays together, in its order (RULES OR2).
 */
export function bySuspicion(queue: readonly QueueItem[], state: FaultState): QueueItem[] {
  const ids = [...state.unclear].filter(([, { times }]) => times > 0).map(([id]) => id)
  const rank = new Map<string, number>()
  const placeOf = ({ record }: QueueItem) => `${record.resource} ${record.key}`
  for (const item of queue)
    rank.set(placeOf(item), Math.max(rank.get(placeOf(item)) ?? -1, ids.indexOf(item.change.id)))
  const sorted = (items: readonly QueueItem[]) =>
    items.toSorted((a, b) => (rank.get(placeOf(a)) ?? 0) - (rank.get(placeOf(b)) ?? 0))
  const [first, ...others] = queue
  if (!first || isSuspected(state, first.change.id)) return sorted(queue)
  return [first, ...sorted(others)]
}

/** The state as one queue folds it. In memory only: after a start nothing is suspected. */
export interface Faults {
  readonly now: FaultState
  fold(step: (state: FaultState) => FaultState): void
  /** An answer of no use to some changes. @returns whether it is their own fault */
  unclear(ids: readonly string[]): boolean
}

export function createFaults(): Faults {
  let now = NO_FAULTS
  return {
    get now() {
      return now
    },
    fold(step) {
      now = step(now)
    },
    unclear(ids) {
      const isOwn = ids.some((id) => isOwnFault(now, id))
      for (const id of ids) now = afterUnclear(now, id)
      return isOwn
    },
  }
}
