/**
 * One device of the fleet. When it calls is decided by what the app ships: rounds (`pull-requests.ts`), details (`search.ts`),
 * lists (`record-lists.ts` with the tables of the resources), pace and circuit (`caller.ts`). Documents, screens and the
 * sender are not here: a save is the calls it takes.
 */
import type { Interest } from '#schemas/device/interest.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { daysAt, detailsDue, laterDueBefore, type Days } from '#sync/pull/engine/freshness.ts'
import { listRequestedAt, basisOf, urgencyOf } from '#sync/pull/records/record-lists.ts'
import type { Random } from '../random.ts'
import { Caller, RANK } from './caller.ts'
import type { Weather } from './crm-by-time.ts'
import { DeviceRounds } from './device-rounds.ts'
import { SleepingLists } from './sleeping-lists.ts'
import type { Timeline } from './timeline.ts'
import type { FleetList, Work } from './window-of-work.ts'

interface Parts {
  time: Timeline
  random: Random
  weather: Weather
  work: Work
  count: (now: number) => void
}

const iso = (ms: number) => new Date(ms).toISOString()
const RECONCILE_MS = 1_000

export class FleetDevice {
  readonly caller: Caller
  readonly lists: FleetList[]
  readonly visits: RequestRecord[]
  /** Saves that the CRM does not have yet. */
  unsent = 0
  /** When the CRM had the last of them; epoch ms. */
  lastSentAt = 0
  private details: Interest[] = []
  private readonly rounds: DeviceRounds
  private looksAt = Infinity
  /** Of each visit those of its lists. */
  private readonly listsOf: ReadonlyMap<RequestRecord, FleetList[]>
  private readonly sleeping: SleepingLists
  private readonly readInRound = new Set<string>()
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
    this.lists = work.lists
    this.listsOf = new Map(
      work.visits.map((visit, n) => [visit, (work.listsAt[n] ?? []).flatMap((at) => work.lists[at] ?? [])]),
    )
    this.sleeping = new SleepingLists(time.now)
    this.caller = new Caller({
      time,
      random,
      weather,
      count,
      back: () => this.rounds.begin('recovered'),
      recovered: () => this.rounds.recovered(),
    })
    this.rounds = new DeviceRounds({
      time,
      caller: this.caller,
      visits: this.visits,
      begun: () => this.readInRound.clear(),
      confirm: (row) => this.confirm(row),
      look: () => this.look(),
    })
  }

  /** What is on the device is there from earlier days. */
  settle(): void {
    for (const known of this.lists) this.rest(known)
  }

  private rest(known: FleetList): void {
    this.sleeping.rest(known, this.parts.time.now, this.days)
  }

  /** The app comes into sight. @param cold it was not in memory */
  show(cold: boolean): void {
    this.caller.visible = true
    if (cold) this.start()
    this.rounds.show()
  }

  hide(): void {
    this.caller.visible = false
    this.rounds.hide()
  }

  private start(): void {
    this.caller.restart()
    this.rounds.restart()
    this.readInRound.clear()
    for (const { mark } of this.lists) if (mark) mark.requestedAt = undefined
    // the company's staff, once a session
    this.caller.add({ name: 'staff', lane: 'staff', rank: RANK.due, calls: 1, done: () => undefined })
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

  private tell(known: FleetList): void {
    known.basis = basisOf(known.list, known.pull.basis)
    this.sleeping.wake(known)
  }

  /** The CRM's row of this visit says something else from now on. */
  changeRow(visit: RequestRecord): void {
    this.changed.set(visit, `changed ${(this.changes += 1)}`)
  }

  /** What is to be read, by the shipped decisions. */
  private look(): void {
    const { time } = this.parts
    this.caller.clearPlan()
    const clock = {
      now: time.now,
      days: this.days,
      refreshedAt: '',
      pauseStartedAt: this.caller.pauseStartedAt,
    }
    const { due, paced } = detailsDue(this.candidates(), clock)
    for (const visit of due) this.readDetail(visit, RANK.due)
    for (const visit of paced) this.readDetail(visit, RANK.paced)
    this.sleeping.wakeTo(time.now)
    for (const known of this.sleeping.awake) this.plan(known)
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

  private plan(known: FleetList, asked?: Interest): void {
    const { name, pull, mark, basis, calls, label } = known
    const list = { owner: label, requests: known.list.requests, ...(asked && { fetchRequest: asked }) }
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
      pauseStartedAt: this.caller.pauseStartedAt,
      read: this.readInRound,
      lifetime: pull.lifetime,
      details,
    }
    const urgency = urgencyOf(list, mark, basis, round, '')
    if (urgency === null) return this.rest(known)
    const rank = urgency === 'screen' ? RANK.screen : urgency === 'paced' ? RANK.paced : RANK.due
    if (rank === RANK.screen && this.caller.has(rank, label)) return
    if (rank !== RANK.screen) this.caller.drop(RANK.screen, label)
    const askedAt = listRequestedAt(list, details)
    const done = (begunAt: number) => {
      known.mark = { basis, at: iso(begunAt), stamp: '', requestedAt: askedAt }
      this.sleeping.wake(known)
      this.readInRound.add(label)
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
      this.sleeping.wake(known)
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
        for (const known of this.listsOf.get(visit) ?? []) this.sleeping.wake(known)
        visit.quickReport = { id: visit.key, inTime: iso(time.now), outTime, type: null, editStatus: null }
      },
    })
    this.caller.pump()
  }
}
