/** Counts the calls of this tab by what was answered, for the figures of the fleet. */

const CALL_OUTCOMES = ['2xx', '304', '4xx', '429', '5xx', 'none'] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

type CallCounts = Partial<Record<CallOutcome, number>>

export interface CallCounter {
  /** @param status 0: no answer */
  count(status: number): void
  /** What was counted since it was last taken. */
  take(): CallCounts
  /** What was taken was not kept. */
  giveBack(counts: CallCounts): void
}

export function countCalls(): CallCounter {
  let counts: CallCounts = {}
  const add = (outcome: CallOutcome, more = 1) => {
    counts[outcome] = (counts[outcome] ?? 0) + more
  }
  return {
    count: (status) => add(outcomeOf(status)),
    take() {
      const taken = counts
      counts = {}
      return taken
    },
    giveBack(taken) {
      for (const outcome of CALL_OUTCOMES) if (taken[outcome]) add(outcome, taken[outcome])
    },
  }
}

function outcomeOf(status: number): CallOutcome {
  if (status === 0) return 'none'
  if (status === 304 || status === 429) return `${status}`
  return status >= 500 ? '5xx' : status >= 400 ? '4xx' : '2xx'
}
