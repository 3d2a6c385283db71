/** A scheduler of one page, and a schedule that is stepped by hand. */
import { sharedNow } from '#sync/lib/backoff.ts'
import type { CallResult } from '#sync/scheduler/circuit.ts'
import {
  EMPTY,
  nextAt,
  RANKS,
  step,
  whyWaits,
  type LaneEvent,
  type Rank,
  type ReadPriority,
  type ScheduleEvent,
} from '#sync/scheduler/schedule.ts'
import { CALL_TIMEOUT_MS } from '#sync/transport/http.ts'
import {
  afterTimeout,
  createScheduler,
  type Scheduler,
  type SchedulerParts,
} from '#sync/scheduler/scheduler.ts'

export function newScheduler(parts: Partial<SchedulerParts> = {}): Scheduler {
  let stored: string | null = null
  return createScheduler({
    now: sharedNow,
    wall: Date.now,
    random: () => 0,
    after: afterTimeout,
    memory: { get: () => stored, set: (text) => void (stored = text) },
    hasLogin: true,
    ...parts,
  })
}

/** A schedule that a test steps through, at a time of its own. */
export function steppedSchedule(random: () => number = () => 0) {
  let schedule = EMPTY
  let lastId = 0
  const names = new Map<number, string>()
  const stepped = {
    now: 1_000_000,
    /** Names of the calls that have begun to be admitted, in their order. */
    admitted: [] as string[],
    get schedule() {
      return schedule
    },
    do(event: ScheduleEvent) {
      const result = step(schedule, event, { now: stepped.now, random })
      schedule = result.schedule
      for (const id of result.admitted) stepped.admitted.push(names.get(id) ?? '')
    },
    lane: (lane: string, event: LaneEvent) => stepped.do({ kind: 'lane', lane, event }),
    /** Opens a lane, online and with a session. */
    open(lane: string, rank: Rank = RANKS.pull) {
      stepped.lane(lane, { kind: 'opened', rank })
      stepped.lane(lane, { kind: 'signals', isOnline: true, hasSession: true })
    },
    failed: (lane: string, retryAfterMs = 0, begunAt = Infinity) =>
      stepped.lane(lane, { kind: 'failed', retryAfterMs, begunAt }),
    /** A call or a read arrives. @returns its id */
    arrive(name: string, of: { lane: string } | { priority: ReadPriority }) {
      const id = (lastId += 1)
      names.set(id, name)
      stepped.do({ kind: 'arrived', call: { id, ...of } })
      return id
    },
    remove: (id: number) => stepped.do({ kind: 'removed', id }),
    why: (lane: string) => whyWaits(schedule, lane, stepped.now),
    /** How long a call of the lane waits that arrives now. */
    waits: (lane: string) => (stepped.why(lane)?.until ?? stepped.now) - stepped.now,
    /** A call leaves and ends so, after this many milliseconds. */
    call(result: CallResult, ms = 0) {
      const begunAt = stepped.now
      stepped.do({ kind: 'begun', now: begunAt, limitMs: CALL_TIMEOUT_MS })
      stepped.now += ms
      stepped.do({ kind: 'ended', now: stepped.now, begunAt, result, random: random() })
    },
    /** Time passes, and the schedule is stepped when it wants to be. */
    pass(ms: number) {
      const end = stepped.now + ms
      for (let at = next(); at <= end; at = next()) {
        stepped.now = at
        stepped.do({ kind: 'time' })
      }
      stepped.now = end
    },
  }
  const next = () => nextAt(schedule, stepped.now)
  return stepped
}
