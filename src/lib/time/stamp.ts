/**
 * A hybrid logical clock. Stamps sort as text in the order of saves on this device, also across restarts, tabs and
 * changes of the clock (sync RULES OR1). A new stamp is higher than the last stamp in `memory` (localStorage, which
 * all tabs share) and than every stamp passed to `observe`.
 */
export interface Clock {
  now(): number
  /** Returns the next stamp: `milliseconds-counter-device`. */
  stamp(): string
  /** Makes later stamps higher than this stamp. */
  observe(stamp: string): void
}

interface ClockParts {
  now: () => number
  device: string
  memory: { get(): string | null; set(stamp: string): void }
}

const MS_DIGITS = 13
const COUNTER_DIGITS = 4
const COUNTER_END = 36 ** COUNTER_DIGITS

const format = (ms: number, counter: number, device: string) =>
  `${String(ms).padStart(MS_DIGITS, '0')}-${counter.toString(36).padStart(COUNTER_DIGITS, '0')}-${device}`

function parse(stamp: string | null) {
  const [ms = '', counter = ''] = (stamp ?? '').split('-')
  const parsed = { ms: Number.parseInt(ms, 10), counter: Number.parseInt(counter, 36) }
  return Number.isNaN(parsed.ms) || Number.isNaN(parsed.counter) ? { ms: 0, counter: 0 } : parsed
}

export function createClock({ now, device, memory }: ClockParts): Clock {
  let last = memory.get() ?? ''
  const newest = () => {
    const shared = memory.get() ?? ''
    return shared > last ? shared : last
  }
  const store = (stamp: string) => {
    last = stamp
    memory.set(stamp)
    return stamp
  }
  return {
    now,
    stamp() {
      const previous = parse(newest())
      const ms = now()
      if (ms > previous.ms) return store(format(ms, 0, device))
      const full = previous.counter + 1 >= COUNTER_END
      return store(format(full ? previous.ms + 1 : previous.ms, full ? 0 : previous.counter + 1, device))
    },
    observe(stamp) {
      if (stamp > newest()) store(stamp)
    },
  }
}
