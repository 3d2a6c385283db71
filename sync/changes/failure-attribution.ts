/**
 * Decides whether a change is at fault if the CRM answers with a 5xx, an HTML page or a refusal without a reason
 * (RULES OC7, OC8). It is only if the CRM accepted another write since the change's previous unclear answer. Otherwise
 * the CRM, or a gateway before it, is not answering, and the queue waits.
 *
 *     accepted ──→ the next unclear answer to a change that already had one is that change's own fault
 *     5xx, HTML page ──→ unclear answer; after two in a row to one change, other changes are sent first
 *     refused without a reason ──→ 失敗; after three in a row all three wait again, and the queue is paused
 */
/** If this many different changes in a row are refused without a reason, the CRM is at fault, not the changes. */
const REFUSALS_BEFORE_PAUSE = 3
/** Statuses with which the CRM refuses a change, according to the contract (RULES OC2). */
const REFUSALS: readonly number[] = [200, 202, 400, 404, 409, 413, 422]

const ANSWERS_BEFORE_OTHERS = 2

/** `accepted`: at the last unclear answer. `times`: unclear answers in a row; 0 after any other end of a call. */
type Unclear = { accepted: number; times: number }

export interface FaultState {
  accepted: number
  /** The changes with unclear answers, by id. The change with the newest answer is last. */
  unclear: ReadonlyMap<string, Unclear>
  /** Refused calls without a reason since the last acceptance or refusal with one, each as the ids of its changes. */
  refused: readonly (readonly string[])[]
}

/** The faults of a sender: each end of a call replaces `now`. */
export type Faults = { now: FaultState }

export const NO_FAULTS: FaultState = { accepted: 0, unclear: new Map(), refused: [] }

export const afterAccepted = ({ accepted, unclear }: FaultState, ids: readonly string[]): FaultState => ({
  accepted: accepted + 1,
  unclear: new Map([...unclear].filter(([id]) => !ids.includes(id))),
  refused: [],
})

const withUnclear = (state: FaultState, ids: readonly string[], change: Partial<Unclear>): FaultState => {
  const all = [...state.unclear].map(([id, known]) => [
    id,
    ids.includes(id) ? { ...known, ...change } : known,
  ])
  return { ...state, unclear: new Map(all as [string, Unclear][]) }
}

/** Resets the count of unclear answers in a row, after a call without an answer or with a clear answer. */
export const afterOther = (state: FaultState, ids: readonly string[]): FaultState =>
  withUnclear(state, ids, { times: 0 })

/** Records an unclear answer that the device could not store: the next one then always counts as their fault. */
export const afterUnstored = (state: FaultState, ids: readonly string[]): FaultState =>
  withUnclear(state, ids, { accepted: -1 })

export function afterUnclear(state: FaultState, ids: readonly string[]): FaultState {
  const { accepted } = state
  const unclear = new Map(state.unclear)
  for (const id of ids) {
    const times = (unclear.get(id)?.times ?? 0) + 1
    unclear.delete(id)
    unclear.set(id, { accepted, times })
  }
  return { ...state, unclear }
}

/** A refusal with a reason ends the count of refusals in a row. */
export const afterReason = (state: FaultState): FaultState => ({ ...state, refused: [] })

export const afterRefusal = (state: FaultState, ids: readonly string[]): FaultState => ({
  ...state,
  refused: [...state.refused.filter((each) => !each.some((id) => ids.includes(id))), ids],
})

/** True if an unclear answer to this change would now be its own fault. */
export const isOwnFault = ({ unclear, accepted }: FaultState, id: string): boolean =>
  (unclear.get(id)?.accepted ?? Infinity) < accepted

/** True if other changes are sent before this one. */
export const isSuspected = ({ unclear }: FaultState, id: string): boolean =>
  (unclear.get(id)?.times ?? 0) >= ANSWERS_BEFORE_OTHERS

export const isPaused = ({ refused }: FaultState): boolean => refused.length >= REFUSALS_BEFORE_PAUSE

/** True if the user can act on the refusal: it has a reason and a status of the contract, or the status 413. */
export const hasReason = ({ status, reasons }: { status: number; reasons: readonly string[] }): boolean =>
  status === 413 || (reasons.length > 0 && REFUSALS.includes(status))

/** True for an answer that tells neither that the CRM applied the call nor that it refused it. Status 0: none. */
export const isUnclear = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unknown' && status > 0

export type LateChecks = ReturnType<typeof createLateChecks>
/**
 * Decides when a create without an answer may be sent again (RULES OC9). A slow CRM may apply a call after the time
 * limit, so two read-backs, at least `gapMs` (the time limit) apart, must find the record absent. After a start both are
 * repeated, the second one time limit later than usual, because the time of the call is unknown.
 */
export function createLateChecks(elapsed: () => number, gapMs: number) {
  /** By change id, the time of the first read-back without a record; later if the time of the call is unknown. */
  const absentSince = new Map<string, number>()
  const calledIds = new Set<string>()
  const untilGapOver = (since: number) => Math.max(0, Math.ceil(since + gapMs - elapsed()))
  return {
    /** Records that a call of this change was sent. Earlier read-backs then prove nothing. */
    callLeft(id: string): void {
      calledIds.add(id)
      absentSince.delete(id)
    },
    /** Records that the CRM itself answered, so that it no longer processes the call. One read-back is enough. */
    callEnded: (id: string): void => void absentSince.set(id, -Infinity),
    /** Milliseconds until the second read-back may start; 0 if a read-back may start now. */
    remainingMs: (id: string): number => untilGapOver(absentSince.get(id) ?? -Infinity),
    /** Records a read-back without a record. @returns milliseconds until the second one; 0 after the second */
    foundAbsent(id: string): number {
      const since = absentSince.get(id) ?? elapsed() + (calledIds.has(id) ? 0 : gapMs)
      absentSince.set(id, since)
      return untilGapOver(since)
    },
  }
}

/** True if no answer came or a gateway timed out. The CRM may still process the call. */
export const isLost = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unreachable' || (kind === 'unknown' && [0, 502, 504].includes(status))
