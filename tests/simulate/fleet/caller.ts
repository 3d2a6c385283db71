/**
 * The calls of one device: those who wait in the order of their rank, the shipped circuit breaker (`circuit.ts`) and
 * pace (`work.ts`) before them, at most `READS_AT_ONCE` on their way, the probe while the CRM is thought unreachable.
 */
import { READS_AT_ONCE, REFETCH_AFTER_RECONNECT_MS, REFETCH_SPREAD_MS } from '#schemas/limits.ts'
import { backoffDelay } from '#sync/lib/backoff.ts'
import { PACE_PAUSE_MS, startPace, takeToken, type Pace } from '#sync/pull/engine/work.ts'
import {
  circuitAfter,
  CLOSED,
  isClosed,
  waitOf,
  type CallResult,
  type Circuit,
} from '#sync/scheduler/circuit.ts'
import type { Random } from '../random.ts'
import { answerAt, latency, type Answer, type Weather } from './crm-by-time.ts'
import { Easing } from './easing.ts'
import type { Timeline } from './timeline.ts'

/** In this order those who wait have their turn; what is paced waits for its pace as well. */
export const RANK = { send: 0, screen: 1, page: 2, due: 3, paced: 4 } as const
type Rank = (typeof RANK)[keyof typeof RANK]

export interface Job {
  name: string
  rank: Rank
  /** Whose gate it passes. */
  lane: string
  /** Calls still to be made, one after another. */
  calls: number
  /** A send whose end is not known is read back before it leaves again. */
  readBack?: boolean
  done(begunAt: number): void
}

interface Parts {
  time: Timeline
  random: Random
  weather: Weather
  /** A call begins. */
  count: (now: number) => void
  /** The way to the CRM came back, or the CRM. */
  recovered: () => void
  /** 3.5 s after that, and a little more. */
  back: () => void
}

const LIMIT_MS = 20_000
/** The CRM's access token lives so long; after it the first call is refused, and the token refreshed. */
const TOKEN_LIFE_MS = 60 * 60_000
/** An outage: not only one call that failed. */
const OUTAGE = 2

export class Caller {
  circuit: Circuit = CLOSED
  online = true
  visible = false
  /** Some time ago, for each device another. */
  private tokenUntil: number
  private browserOffline = false
  private pace: Pace
  private readonly waiting: Job[][] = [[], [], [], [], []]
  private readonly underWay = new Set<string>()
  private running = 0
  private wakesAt = Infinity
  private pauseUntil = 0
  private pausedAt = ''
  private follows = 0
  private readonly easing = new Easing()
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
    const { time, random } = parts
    this.pace = startPace(time.now, random())
    this.tokenUntil = time.now + random() * TOKEN_LIFE_MS - TOKEN_LIFE_MS / 2
  }

  /** The app starts: nothing is planned, and the pace begins anew. */
  restart(): void {
    for (const jobs of this.waiting.slice(RANK.screen)) jobs.length = 0
    this.pace = startPace(this.parts.time.now, this.parts.random())
  }

  add(job: Job): void {
    this.waiting[job.rank]?.push(job)
  }
  /** What was planned for nobody in particular is planned anew. */
  clearPlan(): void {
    for (const rank of [RANK.due, RANK.paced]) this.waiting[rank]!.length = 0
  }
  isUnderWay = (name: string): boolean => this.underWay.has(name)
  has = (rank: Rank, name: string): boolean =>
    this.waiting[rank]!.some((job) => job.name === name) || this.underWay.has(name)

  network(there: boolean): void {
    const { time } = this.parts
    this.browserOffline = !there
    this.online = false
    if (!there) return
    this.circuit = circuitAfter(this.circuit, { kind: 'online', now: time.now })
    this.easing.end()
    this.cameOnline()
    this.pump()
  }

  pump = (): void => {
    const { time } = this.parts
    if (this.browserOffline) return
    while (this.running < READS_AT_ONCE) {
      const jobs = this.next()
      if (!jobs) return
      const wait = waitOf(this.circuit, time.now)
      if (wait > 0) return this.wakeAt(time.now + wait)
      const job = jobs.shift()
      if (job) this.begin(job)
    }
  }

  /** Whose turn it is; those that a gate holds back after an outage stay in line. */
  private next(): Job[] | undefined {
    const { now: at } = this.parts.time
    if (!this.easing.isOver(at)) this.wakeAt(this.easing.nextAfter(at))
    const now = this.waiting.find((jobs, rank) => rank !== RANK.paced && this.comesFirst(jobs))
    const paced = this.waiting[RANK.paced]!
    if (now || !this.visible || !this.comesFirst(paced)) return now
    // the grant is asked for with the call, and never taken back
    if (waitOf(this.circuit, at) > 0) return paced
    const { pace, nextAt } = takeToken(this.pace, this.parts.time.now)
    this.pace = pace
    if (nextAt === null) return paced
    this.wakeAt(nextAt)
    return undefined
  }

  /** Brings one whose gate is open to the front. */
  private comesFirst(jobs: Job[]): boolean {
    const { now } = this.parts.time
    const place = this.easing.isOver(now) ? 0 : jobs.findIndex(({ lane }) => this.easing.isOpen(lane, now))
    const job = jobs[place]
    if (job && place > 0) {
      jobs.splice(place, 1)
      jobs.unshift(job)
    }
    return job !== undefined
  }

  private wakeAt(at: number): void {
    if (at >= this.wakesAt) return
    this.wakesAt = at
    this.parts.time.at(at, () => {
      if (this.wakesAt === at) this.wakesAt = Infinity
      this.pump()
    })
  }

  private begin(job: Job): void {
    const { time, random, weather, count } = this.parts
    const begunAt = time.now
    this.underWay.add(job.name)
    this.running += 1
    const leave = () => {
      count(time.now)
      this.circuit = circuitAfter(this.circuit, { kind: 'begun', now: time.now, limitMs: LIMIT_MS })
    }
    leave()
    const answer = answerAt(weather, begunAt, random, false)
    let ms = latency(random)
    if (answer.kind === 'ok' && begunAt > this.tokenUntil) {
      // 401, the refresh, and the call once more
      this.tokenUntil = begunAt + TOKEN_LIFE_MS
      leave()
      leave()
      ms += latency(random) + latency(random)
    }
    time.at(begunAt + ms, () => this.end(job, begunAt, answer))
  }

  private end(job: Job, begunAt: number, answer: Answer): void {
    this.running -= 1
    this.underWay.delete(job.name)
    this.learn(begunAt, resultOf(answer))
    if (answer.kind === 'ok') {
      this.cameOnline()
      job.calls -= 1
      if (job.calls > 0) this.waiting[job.rank]?.unshift(job)
      else job.done(begunAt)
    } else {
      if (job.readBack) {
        job.calls += 1
        job.readBack = false
      }
      // what somebody waits for goes first again, what nobody waits for last
      if (job.rank <= RANK.page) this.waiting[job.rank]?.unshift(job)
      else this.waiting[job.rank]?.push(job)
      // one call without an answer is tried again before anyone is told
      if (answer.kind === 'reset' && this.circuit.failures !== 1) this.wentOffline()
      else if (answer.kind === 'throttled') this.cameOnline()
    }
    this.pump()
  }

  private learn(begunAt: number, result: CallResult): void {
    const { time, random } = this.parts
    const { failures } = this.circuit
    this.circuit = circuitAfter(this.circuit, {
      kind: 'ended',
      now: time.now,
      begunAt,
      result,
      random: random(),
    })
    if (failures < OUTAGE || !isClosed(this.circuit)) return
    this.easing.begin(time.now, failures, random)
    this.recover()
  }

  private cameOnline(): void {
    if (this.online || this.browserOffline) return
    this.online = true
    this.recover()
  }

  /** As `start-sync.ts`: a pause for what nobody waits for, and a round a little later. */
  private recover(): void {
    const { time, random, back, recovered } = this.parts
    this.pace = startPace(time.now, random(), PACE_PAUSE_MS)
    this.pauseUntil = this.pace.at
    this.pausedAt = new Date(time.now).toISOString()
    this.wakeAt(this.pace.at)
    recovered()
    const follows = (this.follows += 1)
    time.at(time.now + REFETCH_AFTER_RECONNECT_MS + random() * REFETCH_SPREAD_MS, () => {
      if (follows === this.follows) back()
    })
  }

  get pauseStartedAt(): string {
    return this.parts.time.now < this.pauseUntil ? this.pausedAt : ''
  }

  /** @returns whether it was waiting, and does no longer */
  drop(rank: Rank, name: string): boolean {
    const jobs = this.waiting[rank]!
    const kept = jobs.filter((job) => job.name !== name)
    const dropped = kept.length < jobs.length
    this.waiting[rank] = kept
    return dropped
  }

  private wentOffline(): void {
    if (!this.online) return
    this.online = false
    this.probeAfter(0)
  }

  private probeAfter(attempt: number): void {
    const { time, random } = this.parts
    time.at(time.now + backoffDelay(attempt, random()), () => this.probe(attempt))
  }

  private probe(attempt: number): void {
    const { time, random, weather, count } = this.parts
    if (this.online || this.browserOffline || !this.visible) return
    const wait = waitOf(this.circuit, time.now)
    // whoever has a call of use goes first
    if (wait > 0 || this.waiting.some((jobs) => jobs.length > 0)) {
      time.at(time.now + Math.max(wait, 200), () => this.probe(attempt))
      return
    }
    const begunAt = time.now
    count(begunAt)
    this.circuit = circuitAfter(this.circuit, { kind: 'begun', now: begunAt, limitMs: LIMIT_MS })
    const answer = answerAt(weather, begunAt, random, true)
    time.at(begunAt + latency(random), () => {
      const isThere = answer.kind !== 'reset'
      this.learn(begunAt, isThere ? { kind: 'probed' } : { kind: 'failed' })
      if (isThere) this.cameOnline()
      else this.probeAfter(attempt + 1)
      this.pump()
    })
  }
}

const resultOf = (answer: Answer): CallResult =>
  answer.kind === 'ok'
    ? { kind: 'useful' }
    : answer.kind === 'throttled'
      ? { kind: 'throttled', retryAfterMs: answer.retryAfterMs }
      : { kind: 'failed' }
