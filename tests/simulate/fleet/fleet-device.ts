/**
 * One device of the fleet. When it calls is decided by what the app ships: rounds (`rounds.ts`), details (`reconcile.ts`),
 * lists (`record-lists.ts` with the tables of the resources), pace and circuit (`caller.ts`). Documents, screens and the
 * sender are not here: a save is the calls it takes.
 */
import type { Interest } from '#schemas/interest.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { daysAt, dueAt, laterDueBefore, lifeOf, type Days } from '#sync/freshness.ts'
import { detailsDue } from '#sync/reconcile.ts'
import { askedForList, becauseOf, urgencyOf, type ListMark } from '#sync/record-lists.ts'
import {
  afterOutage,
  joined,
  rangeDays,
  rangeOf,
  ROUND_EVERY_MS,
  type Cause,
  type WindowRead,
} from '#sync/rounds.ts'
import type { Random } from '../random.ts'
import { Caller, RANK } from './caller.ts'
import type { Weather } from './crm-by-time.ts'
import { Timeline } from './timeline.ts'
import type { FleetList, Work } from './window-of-work.ts'

interface Parts {
  time: Timeline
  random: Random
  weather: Weather
  work: Work
  count: (now: number) => void
}

/** What the device knows of one of its lists. */
interface Known extends FleetList {
  mark: ListMark | undefined
  label: string
}

const iso = (ms: number) => new Date(ms).toISOString()
const RECONCILE_MS = 1_000
const slotOf = (at: number) => Math.floor(at / 300_000)

export class FleetDevice {
  readonly caller: Caller
  readonly lists: Known[]
  readonly visits: RequestRecord[]
  /** Saves that the CRM does not have yet. */
  unsent = 0
  /** When the CRM had the last of them; epoch ms. */
  lastSentAt = 0
  private details: Interest[] = []
  private windowRead: WindowRead = null
  private roundDue: Cause | null = null
  private reading = false
  /** Why the pages that are being read, or wait, are. */
  private waitingFor: Cause | null = null
  private sight = 0
  private looksAt = Infinity
  /** Of each visit those of its lists. */
  private readonly listsOf = new Map<RequestRecord, Known[]>()
  /** What may be due now; the others by the five minutes in which they may be. */
  private awake = new Set<Known>()
  private readonly asleep = new Map<number, Known[]>()
  private wokenTo: number
  private readonly readInRound = new Set<string>()
  private readonly answered = new Map<string, string>()
  /** What the CRM's rows will say when they are read next. */
  private readonly changed = new Map<RequestRecord, string>()
  private changes = 0
  private days: Days

  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
    const { time, random, weather, count, work } = parts
    this.days = daysAt(time.now)
    this.visits = work.visits
    this.lists = work.lists.map((each) => ({
      ...each,
      mark: undefined,
      label: `${each.name} ${each.list.owner}`,
    }))
    for (const known of this.lists) {
      for (const visit of known.list.requests) {
        const lists = this.listsOf.get(visit)
        if (lists) lists.push(known)
        else this.listsOf.set(visit, [known])
      }
    }
    this.wokenTo = slotOf(time.now)
    this.caller = new Caller({
      time,
      random,
      weather,
      count,
      back: () => this.round('back'),
      recovered: () => this.recovered(),
    })
  }

  /** What is on the device is there from earlier days. */
  settle(): void {
    for (const known of this.lists) this.rest(known)
  }

  /** Until its time comes nothing but what wakes a list can make it due: a shorter way to the same decision. */
  private rest(known: Known): void {
    const { mark, pull, list, label } = known
    const until = mark ? dueAt(label, Date.parse(mark.at), lifeOf(pull.kept, list.requests, this.days)) : 0
    if (until > this.parts.time.now) this.sleep(known, until)
    else this.awake.add(known)
  }

  /** The app comes into sight. @param cold it was not in memory */
  show(cold: boolean): void {
    const { time } = this.parts
    this.caller.visible = true
    const sight = (this.sight += 1)
    if (cold) this.start()
    this.round()
    const again = () => {
      if (this.sight !== sight) return
      this.round()
      time.at(time.now + ROUND_EVERY_MS, again)
    }
    time.at(time.now + ROUND_EVERY_MS, again)
  }

  hide(): void {
    this.caller.visible = false
    this.sight += 1
  }

  private start(): void {
    this.caller.restart()
    this.windowRead = null
    this.roundDue = null
    this.waitingFor = null
    this.reading = false
    this.readInRound.clear()
    this.answered.clear()
    // the company's staff, once a session
    this.caller.add({ name: 'staff', lane: 'staff', rank: RANK.due, calls: 1, done: () => undefined })
  }

  /** A round that waits is not begun: one follows. */
  private recovered(): void {
    const due = afterOutage(this.roundDue ?? this.waitingFor, this.windowRead)
    if (this.waitingFor !== null && due === null && this.caller.drop(RANK.page, 'pages')) {
      this.reading = false
      this.waitingFor = null
    }
    this.roundDue = due
    this.look()
  }

  private round(cause: Cause = 'usual'): void {
    this.roundDue = joined(this.roundDue, cause)
    this.readInRound.clear()
    if (!this.reading) this.readPages()
    this.caller.pump()
  }

  private readPages(): void {
    const cause = this.roundDue
    if (cause === null) return
    const range = rangeOf(cause, this.windowRead, this.parts.time.now)
    this.roundDue = null
    this.waitingFor = cause
    this.reading = true
    const { from, to } = rangeDays(range, this.parts.time.now)
    const rows = this.visits.filter(({ workingDate }) => workingDate >= from && workingDate <= to)
    this.caller.add({
      name: 'pages',
      lane: 'requests',
      rank: RANK.page,
      calls: Math.max(1, Math.ceil(rows.length / PAGE_SIZE)),
      done: () => {
        this.reading = false
        this.waitingFor = null
        if (range === 'window') this.windowRead = this.parts.time.now
        for (const row of rows) this.confirm(row)
        this.readPages()
        this.look()
      },
    })
  }

  /** A row as the search gives it now. */
  private confirm(row: RequestRecord): void {
    const digest = this.changed.get(row)
    if (digest === undefined) return
    this.changed.delete(row)
    row.rowDigest = digest
    row.detailConfirmedAt = ''
    for (const known of this.listsOf.get(row) ?? []) this.tell(known)
  }

  private tell(known: Known): void {
    known.because = becauseOf(known.list, known.pull.because)
    this.wake(known)
  }

  /** The CRM's row of this visit says something else from now on. */
  changeRow(visit: RequestRecord): void {
    this.changed.set(visit, `changed ${(this.changes += 1)}`)
  }

  /** What is to be read, by the shipped decisions. */
  private look(): void {
    const { time } = this.parts
    this.caller.clearPlan()
    const clock = { now: time.now, days: this.days, refreshedAt: '', pausedSince: this.caller.pausedSince }
    const { due, paced } = detailsDue(this.candidates(), clock)
    for (const visit of due) this.readDetail(visit, RANK.due)
    for (const visit of paced) this.readDetail(visit, RANK.paced)
    for (; this.wokenTo <= slotOf(time.now); this.wokenTo += 1) {
      for (const known of this.asleep.get(this.wokenTo) ?? []) this.awake.add(known)
      this.asleep.delete(this.wokenTo)
    }
    for (const known of this.awake) this.plan(known)
    this.caller.pump()
  }

  /** As the pull finds them by index: what is near or soon, and what is older than a later day's may be. */
  private candidates(): RequestRecord[] {
    const { today, soon } = this.days
    const old = iso(laterDueBefore(this.parts.time.now))
    return this.visits.filter(
      ({ workingDate, detailConfirmedAt }) =>
        detailConfirmedAt <= old || (workingDate >= today && workingDate <= soon),
    )
  }

  private wake(known: Known): void {
    this.awake.add(known)
  }

  private sleep(known: Known, until: number): void {
    this.awake.delete(known)
    // the five minutes of now have been gone through
    const slot = Math.max(slotOf(until), this.wokenTo)
    const others = this.asleep.get(slot)
    if (others) others.push(known)
    else this.asleep.set(slot, [known])
  }

  private lookSoon(): void {
    const { time } = this.parts
    const at = time.now + RECONCILE_MS
    if (at >= this.looksAt) return
    this.looksAt = at
    time.at(at, () => {
      this.looksAt = Infinity
      this.look()
    })
  }

  private readDetail(
    visit: RequestRecord,
    rank: typeof RANK.screen | typeof RANK.due | typeof RANK.paced,
  ): void {
    if (this.caller.isUnderWay(visit.key)) return
    this.caller.add({
      name: visit.key,
      lane: 'requests',
      rank,
      calls: 1,
      done: (begunAt) => {
        const isNew = visit.detailConfirmedAt === ''
        visit.detailConfirmedAt = iso(begunAt)
        if (isNew) this.lookSoon()
      },
    })
  }

  private plan(known: Known, asked?: Interest): void {
    const { name, pull, mark, because, calls, label } = known
    const list = { owner: label, requests: known.list.requests, ...(asked && { asked }) }
    if (this.caller.isUnderWay(label)) return
    const [request] = list.requests
    // which there are is known from the details
    if (request?.detailConfirmedAt === '' && (name === 'safetyMeasures' || name === 'pastReports') && !mark)
      return
    const { now } = this.parts.time
    const details = this.details.filter(({ requestId }) => list.requests.some(({ id }) => id === requestId))
    const round = {
      now,
      days: this.days,
      refreshedAt: '',
      pausedSince: this.caller.pausedSince,
      read: this.readInRound,
      kept: pull.kept,
      details,
      answered: this.answered,
    }
    const urgency = urgencyOf(list, mark, because, round, '')
    if (urgency === null) return this.rest(known)
    const rank = urgency === 'screen' ? RANK.screen : urgency === 'paced' ? RANK.paced : RANK.due
    if (rank === RANK.screen && this.caller.has(rank, label)) return
    if (rank !== RANK.screen) this.caller.drop(RANK.screen, label)
    const askedAt = askedForList(list, details)
    const done = (begunAt: number) => {
      known.mark = { because, at: iso(begunAt), stamp: '' }
      this.wake(known)
      this.readInRound.add(label)
      this.answered.set(label, askedAt)
    }
    if (calls === 0) done(now)
    else this.caller.add({ name: label, lane: name, rank, calls, done })
  }

  /** 依頼詳細 of this visit is opened: it is read, and what its links lead to where that is not fresh. */
  open(visit: RequestRecord): void {
    const { id: requestId, workingDate } = visit
    const askedAt = iso(this.parts.time.now)
    const key = `detail_${requestId}_${workingDate}`
    const interest = { key, kind: 'detail', requestId, workingDate, askedAt } as const
    this.details = this.details.filter((each) => each.key !== key)
    this.details.push({ ...interest, state: 'answered', answeredAt: askedAt, total: 1 })
    this.readDetail(visit, RANK.screen)
    for (const known of this.listsOf.get(visit) ?? []) {
      this.wake(known)
      this.plan(known)
    }
    this.caller.pump()
  }

  /** A screen of one list is opened: notes, past reports. */
  openList(name: string, visit: RequestRecord): void {
    const askedAt = iso(this.parts.time.now)
    for (const known of this.listsOf.get(visit) ?? [])
      if (known.name === name) {
        const asked = { key: `list_${name}`, kind: 'list', recordKey: known.list.owner, askedAt } as const
        this.plan(known, { ...asked, state: 'asked', answeredAt: '', total: 0 })
      }
    this.caller.pump()
  }

  /** An entry or an exit is saved; the row says so when it is read next. */
  save(visit: RequestRecord, kind: 'entry' | 'exit'): void {
    const { time } = this.parts
    this.unsent += 1
    this.caller.add({
      name: `send ${visit.key} ${kind}`,
      lane: 'send',
      rank: RANK.send,
      // before a PUT the record is read
      calls: kind === 'entry' ? 1 : 2,
      readBack: true,
      done: () => {
        this.unsent -= 1
        this.lastSentAt = time.now
        this.changeRow(visit)
        const outTime = kind === 'exit' ? iso(time.now) : null
        for (const known of this.listsOf.get(visit) ?? []) this.wake(known)
        visit.quickReport = { id: visit.key, inTime: iso(time.now), outTime, type: null, editStatus: null }
      },
    })
    this.caller.pump()
  }
}
