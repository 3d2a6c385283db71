/**
 * Decides when the calls to one API may begin, and why not earlier: one value and a pure step (RULES OC4, OC5, OC10, PL9).
 *
 *     call of a lane ─→ online, session valid, lane's back-off over ─→ circuit ─┬ closed: all begin
 *                                                                               └ open: one on trial, by rank
 *     read ─→ send: begins at once │ others: 4 places, at most 3 for window and background, 2 for background
 *
 * Invariants: a call waits exactly as long as `whyWaits` names a reason. A problem of a lane's own work (a list that
 * always fails, a full disk) delays this lane only, a problem of the API delays all lanes by the circuit. One place is
 * always free for a screen. All times are milliseconds of a monotonic clock.
 */
import { READS_AT_ONCE } from '#schemas/limits.ts'
import { backoffDelay, easeMs, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import {
  circuitAfter,
  circuitWaits,
  CLOSED,
  isClosed,
  waitOf,
  type Circuit,
  type CircuitEvent,
} from './circuit.ts'

/** Ranks of lanes for trial calls, most urgent first. */
export const RANKS = { push: 0, screen: 1, pull: 2, probe: 3 } as const
export type Rank = (typeof RANKS)[keyof typeof RANKS]

/** If an admitted trial call does not begin within this time, the next one is admitted. */
const GRANT_MS = 200
const OUTAGE_FAILURES = 2

/** Calls that wait together, with a back-off of their own after `attempt` failures in a row. */
interface Lane {
  readonly rank: Rank
  readonly isOnline: boolean
  readonly hasSession: boolean
  readonly attempt: number
  readonly notBefore: number
  /** When the last failure was counted. */
  readonly failedAt: number
  /** For pulls: the end of the delay after a long outage. */
  readonly easedUntil: number
  /** True if a call has begun before the back-off was over, which is allowed once. */
  readonly isHurried: boolean
  /** True if the end of an outage has already ended a wait since the lane last succeeded. */
  readonly isResumed: boolean
}

const NO_WAIT = { attempt: 0, notBefore: 0, isHurried: false, isResumed: false }
const NEW_LANE = { ...NO_WAIT, isOnline: true, hasSession: false, failedAt: -Infinity, easedUntil: 0 }

/** The lane of the probe, which needs no session and has no back-off. */
export const PROBE_LANE = 'probe'

/** Priorities of reads that share the places. A `send` read needs no place. */
const SHARED = ['screen', 'window', 'background'] as const
export const PRIORITIES = ['send', ...SHARED] as const
export type ReadPriority = (typeof PRIORITIES)[number]

/** Maximum number of reads that run at once, of each priority together with the lower ones. */
export const PLACES = { screen: READS_AT_ONCE, window: READS_AT_ONCE - 1, background: 2 }

/** A call that waits for its lane, or a read that waits for a place. */
export type Call = { id: number; lane: string } | { id: number; priority: ReadPriority }
type Read = Extract<Call, { priority: ReadPriority }>

/** `grant`: the rank that is admitted for a trial call. `lastTrial`: null if the circuit was closed since. */
export interface Schedule {
  readonly circuit: Circuit
  readonly lanes: Readonly<Record<string, Lane>>
  readonly waiting: readonly Call[]
  readonly reading: readonly Read[]
  readonly grant: { rank: Rank; until: number } | null
  readonly lastTrial: Rank | null
}

export const EMPTY: Schedule = {
  circuit: CLOSED,
  lanes: { [PROBE_LANE]: { ...NEW_LANE, rank: RANKS.probe, hasSession: true } },
  waiting: [],
  reading: [],
  grant: null,
  lastTrial: null,
}

/** `removed`: a waiting call was given up, or a read has ended. */
export type ScheduleEvent =
  | CircuitEvent
  | { kind: 'time' }
  | { kind: 'arrived'; call: Call }
  | { kind: 'removed'; id: number }
  | { kind: 'lane'; lane: string; event: LaneEvent }

/**
 * `opened`: no call of the lane begins before the first `signals`. `failed`: a call that began before the last failure
 * does not count. `freed`: the user's request or the browser's `online` event ends the lane's own wait.
 */
export type LaneEvent =
  | { kind: 'opened'; rank: Rank }
  | { kind: 'signals'; isOnline: boolean; hasSession: boolean }
  | { kind: 'failed'; begunAt: number; retryAfterMs: number }
  | { kind: 'succeeded' | 'freed' | 'hurried' | 'closed' }

/** `until`: Infinity if only an event ends the wait. */
export interface Wait {
  reason: 'offline' | 'session' | 'back-off' | 'eased' | 'places' | keyof ReturnType<typeof circuitWaits>
  until: number
}

/** Why a call of a lane waits: the reason that lasts longest. Null if the call may begin. */
export function whyWaits({ circuit, lanes, grant }: Schedule, lane: string, now: number): Wait | null {
  const own = lanes[lane]
  const { trial, ...ofCircuit } = circuitWaits(circuit)
  const untilBy: Record<Exclude<Wait['reason'], 'places'>, number> = {
    offline: own?.isOnline === false ? Infinity : 0,
    // A lane that was closed has no session.
    session: own?.hasSession ? 0 : Infinity,
    ...ofCircuit,
    'back-off': own?.notBefore ?? 0,
    eased: own?.easedUntil ?? 0,
    trial: Math.max(trial, grant?.until ?? 0),
  }
  const all = Object.entries(untilBy) as [Wait['reason'], number][]
  const [reason, until] = all.reduce((longest, each) => (each[1] > longest[1] ? each : longest))
  return until > now ? { reason, until } : null
}

export function whyMostUrgent(schedule: Schedule, now: number): Wait | null {
  const [[lane] = [PROBE_LANE]] = Object.entries(schedule.lanes).toSorted(([, a], [, b]) => a.rank - b.rank)
  return whyWaits(schedule, lane, now)
}

export function whyCallWaits(schedule: Schedule, call: Call, now: number): Wait | null {
  if ('lane' in call) return whyWaits(schedule, call.lane, now)
  const hasFree = (shared: keyof typeof PLACES) =>
    schedule.reading.filter((read) => level(read.priority) >= level(shared)).length < PLACES[shared]
  const hasPlace = SHARED.slice(0, level(call.priority)).every(hasFree)
  return hasPlace ? null : { reason: 'places', until: Infinity }
}

const level = (priority: ReadPriority) => PRIORITIES.indexOf(priority)

/** When `step` must be called again although nothing happens; Infinity if never. */
export const nextAt = (schedule: Schedule, now: number): number =>
  Math.min(Infinity, ...schedule.waiting.map((call) => whyCallWaits(schedule, call, now)?.until ?? now))

/** True if a call that a person waits for may begin before the lane's back-off is over, once per back-off. */
export function mayHurry(schedule: Schedule, lane: string, now: number): boolean {
  const own = schedule.lanes[lane]
  if (!own?.isOnline || !own.hasSession || waitOf(schedule.circuit, now) > 0) return false
  const isWaiting = Math.max(own.notBefore, own.easedUntil) > now
  return !(own.isHurried && isWaiting)
}

/** 0 ≤ random() < 1 */
type Chance = { now: number; random: () => number }

/** @returns `admitted`: ids of the calls that begin now. `endedOutage`: number of failures of the outage that ended, or 0 */
export function step(before: Schedule, event: ScheduleEvent, chance: Chance) {
  const { failures } = before.circuit
  let schedule = afterEvent(before, event, chance)
  const endedOutage = failures >= OUTAGE_FAILURES && isClosed(schedule.circuit) ? failures : 0
  if (endedOutage > 0) {
    const lanes = Object.entries(schedule.lanes)
    const resumed = lanes.map(([name, lane]) => [name, afterOutage(lane, endedOutage, chance)])
    schedule = { ...schedule, lanes: Object.fromEntries(resumed) as Schedule['lanes'] }
  }
  return { ...withAdmitted(schedule, chance.now), endedOutage }
}

function afterEvent(schedule: Schedule, event: ScheduleEvent, chance: Chance): Schedule {
  const { lanes, waiting, reading, grant, lastTrial } = schedule
  switch (event.kind) {
    case 'time':
      return schedule
    case 'arrived':
      return { ...schedule, waiting: [...waiting, event.call] }
    case 'removed': {
      const isOther = ({ id }: Call) => id !== event.id
      return { ...schedule, waiting: waiting.filter(isOther), reading: reading.filter(isOther) }
    }
    case 'lane': {
      const { [event.lane]: lane, ...rest } = lanes
      const next = laneAfter(lane, event.event, chance)
      return { ...schedule, lanes: next ? { ...rest, [event.lane]: next } : rest }
    }
    default: {
      const circuit = circuitAfter(schedule.circuit, event)
      if (event.kind !== 'begun') return { ...schedule, circuit }
      return { ...schedule, circuit, grant: null, lastTrial: grant?.rank ?? lastTrial }
    }
  }
}

function laneAfter(lane: Lane | undefined, event: LaneEvent, { now, random }: Chance): Lane | null {
  if (event.kind === 'opened') return { ...NEW_LANE, rank: event.rank }
  if (!lane || event.kind === 'closed') return null
  switch (event.kind) {
    case 'signals':
      return { ...lane, isOnline: event.isOnline, hasSession: event.hasSession }
    case 'succeeded':
      return { ...lane, ...NO_WAIT }
    case 'freed':
      return { ...lane, ...NO_WAIT, easedUntil: 0 }
    case 'hurried':
      return { ...lane, isHurried: true }
    case 'failed': {
      const isCounted = event.begunAt >= lane.failedAt
      const wait = isCounted ? backoffDelay(lane.attempt, random(), event.retryAfterMs) : event.retryAfterMs
      const notBefore = Math.max(lane.notBefore, now + Math.min(wait, RETRY_AFTER_MAX_MS))
      return { ...lane, notBefore, ...(isCounted && { failedAt: now, attempt: lane.attempt + 1 }) }
    }
  }
}

/**
 * The lane after an outage, which ends its wait only once until the lane succeeds: where only this lane's calls fail,
 * other lanes' answers end an "outage" again and again.
 */
function afterOutage(lane: Lane, failures: number, { now, random }: Chance): Lane {
  const resumed = lane.isResumed ? lane : { ...lane, ...NO_WAIT, isResumed: lane.attempt > 0 }
  return { ...resumed, easedUntil: lane.rank === RANKS.pull ? now + easeMs(failures, random()) : 0 }
}

function withAdmitted(before: Schedule, now: number) {
  const admitted: number[] = []
  let schedule = isClosed(before.circuit) ? { ...before, grant: null, lastTrial: null } : before
  for (let next = nextOf(schedule, now); next; next = nextOf(schedule, now)) {
    const { circuit, lanes, reading, waiting } = schedule
    const begun = next
    admitted.push(begun.id)
    schedule = { ...schedule, waiting: waiting.filter(({ id }) => id !== begun.id) }
    if ('priority' in begun) schedule = { ...schedule, reading: [...reading, begun] }
    const own = 'lane' in begun && lanes[begun.lane]
    if (!own) continue
    const grant = isClosed(circuit) ? null : { rank: own.rank, until: now + GRANT_MS }
    schedule = { ...schedule, lanes: { ...lanes, [begun.lane]: { ...own, isHurried: false } }, grant }
  }
  return { schedule, admitted }
}

/**
 * The oldest read of the most urgent priority with a place, else the oldest call of the most urgent rank. The last trial's
 * rank is skipped while another waits, except the probe: else a write that always gets 503 would make every trial call.
 */
function nextOf(schedule: Schedule, now: number): Call | undefined {
  const ready = schedule.waiting.filter((call) => !whyCallWaits(schedule, call, now))
  const rankOf = (call: Call) =>
    'lane' in call ? (schedule.lanes[call.lane]?.rank ?? RANKS.probe) : level(call.priority)
  const isOther = (call: Call) => rankOf(call) !== schedule.lastTrial && rankOf(call) !== RANKS.probe
  const reads = ready.filter((call): call is Read => 'priority' in call)
  const others = ready.filter(isOther)
  const pool = reads.length > 0 ? reads : others.length > 0 ? others : ready
  return pool.toSorted((a, b) => rankOf(a) - rankOf(b))[0]
}
