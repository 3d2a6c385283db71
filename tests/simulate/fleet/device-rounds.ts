/** The rounds of one device, by what the app ships (`pull-requests.ts`): when one begins, which rows it reads, what an outage does to it. */
import { PAGE_SIZE } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import {
  afterOutage,
  joined,
  rangeDays,
  rangeOf,
  ROUND_EVERY_MS,
  type Cause,
  type WindowRead,
} from '#sync/pull/requests/pull-requests.ts'
import { RANK, type Caller } from './caller.ts'
import type { Timeline } from './timeline.ts'

interface Parts {
  time: Timeline
  caller: Caller
  visits: readonly RequestRecord[]
  /** A round begins. */
  begun: () => void
  /** A row, as the CRM gives it now. */
  confirm: (row: RequestRecord) => void
  /** What is to be read is looked for anew. */
  look: () => void
}

export class DeviceRounds {
  private windowRead: WindowRead = null
  private due: Cause | null = null
  private reading = false
  /** Why the pages that are being read, or wait, are. */
  private waitingFor: Cause | null = null
  private sight = 0
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** The app starts. */
  restart(): void {
    this.windowRead = null
    this.due = null
    this.waitingFor = null
    this.reading = false
  }

  show(): void {
    const { time } = this.parts
    const sight = (this.sight += 1)
    const again = () => {
      if (this.sight !== sight) return
      this.begin('regular')
      time.at(time.now + ROUND_EVERY_MS, again)
    }
    again()
  }

  hide(): void {
    this.sight += 1
  }

  begin(cause: Cause): void {
    this.due = joined(this.due, cause)
    this.parts.begun()
    if (!this.reading) this.readPages()
    this.parts.caller.pump()
  }

  /** A round that waits is not begun: one follows. */
  recovered(): void {
    const due = afterOutage(this.due ?? this.waitingFor, this.windowRead)
    if (this.waitingFor !== null && due === null && this.parts.caller.drop(RANK.page, 'pages')) {
      this.reading = false
      this.waitingFor = null
    }
    this.due = due
    this.parts.look()
  }

  private readPages(): void {
    const { time, caller, visits, confirm, look } = this.parts
    const cause = this.due
    if (cause === null) return
    const range = rangeOf(cause, this.windowRead, time.now)
    this.due = null
    this.waitingFor = cause
    this.reading = true
    const { from, to } = rangeDays(range, time.now)
    const rows = visits.filter(({ workingDate }) => workingDate >= from && workingDate <= to)
    caller.add({
      name: 'pages',
      lane: 'requests',
      rank: RANK.page,
      calls: Math.max(1, Math.ceil(rows.length / PAGE_SIZE)),
      done: () => {
        this.reading = false
        this.waitingFor = null
        if (range === 'window') this.windowRead = time.now
        for (const row of rows) confirm(row)
        this.readPages()
        look()
      },
    })
  }
}
