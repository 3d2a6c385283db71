/**
 * Whose fault an answer of no use is (RULES OC7, OC8): a 5xx, a page, a refusal that says no reason. It is the change's own
 * only where the CRM accepted another write since the same change's answer before; else the CRM, or what stands in front of
 * it, is not answering, and the queue waits.
 *
 *     accepted ──→ nothing is suspected, what ends like this again had its own fault
 *     5xx, a page ──→ unclear; the second time another change is tried beside it
 *     refused without a reason ──→ 失敗; the third one in a row ──→ all of them are unclear, the queue is paused
 */
import type { QueueItem } from '#schemas/change-queue.ts'
import type { Outcome } from './outcome.ts'

/** So many different changes refused in a row without a reason are nobody's own fault. */
const REFUSALS_BEFORE_PAUSE = 3
/** Statuses of the refusals that the contract knows (RULES OC2). */
const REFUSALS: readonly number[] = [200, 202, 400, 404, 409, 413, 422]

export interface FaultState {
  /** How many writes the CRM has accepted. */
  accepted: number
  /** Changes whose last answer was of no use, the latest last, each with what had been accepted then. */
  unclear: ReadonlyMap<string, number>
  /** Calls refused without a reason since the CRM last accepted one, or gave a reason: the changes of each. */
  refused: readonly (readonly string[])[]
}

export const NO_FAULTS: FaultState = { accepted: 0, unclear: new Map(), refused: [] }

export const afterAccepted = ({ accepted, unclear }: FaultState, ids: readonly string[]): FaultState => ({
  accepted: accepted + 1,
  unclear: new Map([...unclear].filter(([id]) => !ids.includes(id))),
  refused: [],
})

export const afterUnclear = (state: FaultState, id: string): FaultState => ({
  ...state,
  unclear: new Map([...state.unclear].filter(([each]) => each !== id)).set(id, state.accepted),
})

/** Refused for a reason that a person can read, or for what it is: no change has to do with another's. */
export const afterReason = (state: FaultState): FaultState => ({ ...state, refused: [] })

export const afterRefusal = (state: FaultState, ids: readonly string[]): FaultState => ({
  ...state,
  refused: [...state.refused.filter((each) => !each.some((id) => ids.includes(id))), ids],
})

/** Whether an answer of no use that comes now is the change's own fault. */
export const isOwnFault = ({ unclear, accepted }: FaultState, id: string): boolean =>
  (unclear.get(id) ?? Infinity) < accepted

export const isPaused = ({ refused }: FaultState): boolean => refused.length >= REFUSALS_BEFORE_PAUSE

/** Whether a person can read why it was refused; the CRM, not what stands in front of it, knows these statuses. */
export const hasReason = ({ status, reasons }: { status: number; reasons: readonly string[] }): boolean =>
  status === 413 || (reasons.length > 0 && REFUSALS.includes(status))

/** An answer that says neither yes nor no. */
export const isUnclear = (outcome: Outcome): boolean => outcome.kind === 'unknown' && outcome.status > 0

/**
 * The first one stays the first; of the others, those of whom nothing is suspected, then those tried longest ago. What is
 * of one record stays together, in its order (RULES OR2).
 */
export function inTurn(queue: readonly QueueItem[], { unclear }: FaultState): QueueItem[] {
  const ids = [...unclear.keys()]
  const rank = new Map<string, number>()
  const placeOf = ({ record }: QueueItem) => `${record.resource} ${record.key}`
  for (const item of queue)
    rank.set(placeOf(item), Math.max(rank.get(placeOf(item)) ?? -1, ids.indexOf(item.change.id)))
  const [first, ...others] = queue
  if (!first) return []
  return [first, ...others.toSorted((a, b) => (rank.get(placeOf(a)) ?? 0) - (rank.get(placeOf(b)) ?? 0))]
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
