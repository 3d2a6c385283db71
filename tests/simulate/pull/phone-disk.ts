/**
 * When a phone's disk takes nothing, or only what is small (RULES ST4): no page tries again and again, each says once that it
 * is full, and people are told. That nothing is lost meanwhile is the witness's affair.
 */
import type { VirtualTime } from './virtual-time.ts'

/** Beyond so much a nearly full disk takes no write. */
const SMALL = 900
const MOST_A_MINUTE = 150
/** Of itself: what a 更新 reads in its first seconds is not counted. */
const MOST_CALLS_A_MINUTE = 30
const ASKED_FOR_MS = 10_000
const MINUTE_MS = 60_000
/** In the name of each store that a replication of RxDB keeps. */
const NOTES = 'rx-replication-meta'
/** What a pull could not write is said within this. */
const SOON_MS = 15_000

export type Room = 'free' | 'small' | 'none'

/** What a page has done since the disk was full. */
interface Told {
  refused: number[]
  calls: number[]
  /** When a row of the window was refused first: only a pull, and what tidies up, writes there. */
  windowRefused: number
  isSaid: boolean
  reports: number
}

/** A write: how much is put where. */
export interface Written {
  collection: string
  keys: readonly string[]
  size: () => number
}

/** Of a photo, beside the collections. */
export const bytesWritten = (size = 0): Written => ({ collection: 'bytes', keys: [], size: () => size })

export class PhoneDisk {
  /** So long each write takes, on a phone that is busy. */
  writeMs = 0
  /** The browser breaks off reads of a page that is open: all, or of those stores where RxDB notes what it has sent. */
  breaksReads: 'none' | 'notes' | 'all' = 'none'
  /** Of the window, while the disk was full last; none where it had room since. */
  readonly refusedRows = new Set<string>()
  /** When the user asked for everything, last. */
  askedAt = -Infinity
  private room: Room = 'free'
  private readonly writtenBy = new Map<string, number>()
  private readonly pages = new Map<string, Told>()
  private readonly time: VirtualTime
  private readonly broken: (rule: string, text: string) => void

  constructor(time: VirtualTime, broken: (rule: string, text: string) => void) {
    this.time = time
    this.broken = broken
  }

  get isFull(): boolean {
    return this.room !== 'free'
  }

  /** Called for every step in a collection. @returns the failure of a read that is broken off */
  brokenOff(
    { page }: { page: unknown },
    kind: 'read' | 'write',
    collection: string,
  ): Promise<void> | undefined {
    const isMeant = this.breaksReads === 'all' || (this.breaksReads === 'notes' && collection.includes(NOTES))
    return page && kind === 'read' && isMeant ? Promise.reject(new BrokenOff()) : undefined
  }

  /** @param isOpen whether this page is there and can say something */
  turns(room: Room, isOpen: (page: string) => boolean): void {
    if (!this.isFull) this.refusedRows.clear()
    if (room === 'free')
      for (const [page, told] of this.pages) {
        const { windowRefused: at, isSaid } = told
        if (at > 0 && !isSaid && this.time.now - at > SOON_MS && isOpen(page))
          this.broken('ST4', `${page} says nothing of a disk that is full`)
        Object.assign(told, nothingYet(), { isSaid })
      }
    this.room = room
  }

  private of(page: string): Told {
    const told = this.pages.get(page) ?? nothingYet()
    this.pages.set(page, told)
    return told
  }

  /** Called for every write of a page. @returns whether it fails */
  refuses(page: string, { collection, keys, size }: Written): boolean {
    if (this.room === 'free' || (this.room === 'small' && size() <= SMALL)) return false
    const { now } = this.time
    const told = this.of(page)
    told.refused = [...told.refused.filter((at) => at > now - MINUTE_MS), now]
    if (told.refused.length > MOST_A_MINUTE)
      this.broken('ST4', `${page} tried to write over ${MOST_A_MINUTE} times in a minute, on a full disk`)
    if (collection !== 'requests') return true
    told.windowRefused ||= now
    for (const key of keys) this.refusedRows.add(key)
    return true
  }

  /** @returns for how long: one write after another, as a browser does them */
  writeTakes(page: string): number {
    const { now } = this.time
    const end = Math.max(now + this.writeMs, this.writtenBy.get(page) ?? 0)
    this.writtenBy.set(page, end)
    return end - now
  }

  /** A call leaves: what cannot be written is not read again and again. */
  called(page: string): void {
    const { now } = this.time
    if (this.room === 'free' || now - this.askedAt < ASKED_FOR_MS) return
    const told = this.of(page)
    told.calls = [...told.calls.filter((at) => at > now - MINUTE_MS), now]
    if (told.refused.length > 0 && told.calls.length > MOST_CALLS_A_MINUTE)
      this.broken('ST4', `${page} called over ${MOST_CALLS_A_MINUTE} times in a minute, on a full disk`)
  }

  says(page: string, isFull: boolean): void {
    this.of(page).isSaid = isFull
  }

  /** At the end there is room, and there was for a while. */
  finish(isOpen: (page: string) => boolean): void {
    for (const [page, { isSaid }] of this.pages)
      if (isSaid && isOpen(page)) this.broken('ST4', `${page} says that it is full, and is not`)
  }

  reported(page: string, problem: string): void {
    if (!problem.startsWith('storage:') || this.room === 'free') return
    const told = this.of(page)
    told.reports += 1
    if (told.reports > 1) this.broken('ST4', `${page} reports one full disk ${told.reports} times`)
  }
}

const nothingYet = (): Told => ({
  refused: [],
  calls: [],
  windowRefused: 0,
  isSaid: false,
  reports: 0,
})

/** As IndexedDB says it. */
export class QuotaExceeded extends Error {
  override name = 'QuotaExceededError'
}

class BrokenOff extends Error {
  override name = 'UnknownError'
}

/** The device's own storage is in the way: the page says so in one place, whoever asked (`app/diagnostics/watch-errors.ts`). */
export const isOfStorage = (error: unknown): boolean =>
  error instanceof Error && ['QuotaExceededError', 'UnknownError'].includes(error.name)
