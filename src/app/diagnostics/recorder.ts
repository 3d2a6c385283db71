/** Writes frequent entries (calls, send states, figures) in batches, when the screen is idle. Counts calls. */
import { whenIdle } from '#sync/lib/slices.ts'
import type { Diagnostics, Entries, Kind, Noted } from './store.ts'

const BATCH_MS = 3_000

export type Recorder = ReturnType<typeof createRecorder>

/** @param later calls its argument once, at the time when a batch may be written */
export function createRecorder(
  store: Pick<Diagnostics, 'note' | 'write' | 'read'>,
  later: (write: () => void) => void = idly,
) {
  let waiting: Noted[] = []
  const flush = async () => {
    const batch = waiting
    waiting = []
    await store.write(batch).catch(() => undefined)
  }
  return {
    add(...noted: Parameters<Diagnostics['note']>): void {
      waiting.push(store.note(...noted))
      if (waiting.length === 1) later(() => void flush())
    },
    async read<K extends Kind>(kind: K): Promise<Entries[K][]> {
      await flush()
      return store.read(kind)
    },
  }
}

/** Calls `write` when the screen is idle, or at once when the page is hidden, because a phone may kill it. */
function idly(write: () => void): void {
  const isHidden = () => document.visibilityState === 'hidden'
  const now = () => {
    document.removeEventListener('visibilitychange', onChange)
    clearTimeout(timer)
    write()
  }
  const onChange = () => isHidden() && now()
  const timer = setTimeout(() => void whenIdle().then(now), isHidden() ? 0 : BATCH_MS)
  document.addEventListener('visibilitychange', onChange)
}

const CALL_OUTCOMES = ['2xx', '304', '4xx', '429', '5xx', 'none'] as const
type CallOutcome = (typeof CALL_OUTCOMES)[number]
export type CallCounts = Partial<Record<CallOutcome, number>>

/** Counts this tab's calls by their outcome, for telemetry. */
export function countCalls() {
  let counts: CallCounts = {}
  const add = (outcome: CallOutcome, more: number) => {
    counts[outcome] = (counts[outcome] ?? 0) + more
  }
  return {
    count: (status: number) => add(outcomeOf(status), 1),
    take(): CallCounts {
      const taken = counts
      counts = {}
      return taken
    },
    /** Adds counts that `take` returned but that could not be stored. */
    restore(taken: CallCounts) {
      for (const outcome of CALL_OUTCOMES) if (taken[outcome]) add(outcome, taken[outcome])
    },
  }
}

function outcomeOf(status: number): CallOutcome {
  if (status === 0) return 'none'
  if (status === 304 || status === 429) return `${status}`
  return status >= 500 ? '5xx' : status >= 400 ? '4xx' : '2xx'
}
