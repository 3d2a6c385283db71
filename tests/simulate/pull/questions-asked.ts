/**
 * What screens of a phone ask, and how they are answered (RULES PL5, PL8, PL9): within a bound, or visibly as failed; and what
 * failed is tried again before it has waited much more than twice as long as the last time.
 */
import type { StoredDoc } from './stored-doc.ts'
import { whoseOf, type Watched } from './watched.ts'

const HOUR_MS = 3_600_000
/** What the longest back-off, pause and takeover come to after something stood in the way; and where nothing does. */
const PATIENCE_MS = 7 * 60_000
const SOON_MS = 20_000
/** The longest wait of a gate, and what slow writes take before and after a call. */
const TRIED_AGAIN_MS = 45_000
/** A wait is twice the one before, and a quarter is left to chance. */
const MOST_LONGER = 2.5
/** After so many failures in a row a phone takes it for an outage, whose end its reads spread over a time (RULES PL10). */
const OUTAGE_FAILURES = 8
const EASE_MS = 90_000

interface Question {
  at: number
  name: string
}

/** Answered as failed after a 5xx, and tried still. */
interface Failed extends Question {
  lastAt: number
  /** Between its last two tries. */
  gapMs: number
  /** By which it is read. */
  paths: string[]
}

/** Since when nothing stands in the way of an answer; and of a try, which may fail or take long. */
export interface Calm {
  answers: number
  tries: number
  /** Until when a write is answered 503: of the calls that a circuit lets go on trial each other one is its own (OC10). */
  sharedUntil: number
}

interface Parts {
  now: () => number
  calm: Calm
  broken: (rule: string, text: string) => void
}

const isOf = (phone: string) => (key: string) => key.startsWith(`${phone} `)

export class QuestionsAsked {
  answered = 0
  private readonly open = new Map<string, Question>()
  private readonly failed = new Map<string, Failed>()
  /** By phone and path, when it was last answered 5xx for its own fault, and how long after the time before. */
  private readonly struck = new Map<string, Pick<Failed, 'lastAt' | 'gapMs'>>()
  /** By phone, its reads that failed in a row, and until when the reads after them may be spread. */
  private readonly outages = new Map<string, { failures: number; easedUntil: number }>()
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  private outageOf(phone: string) {
    return this.outages.get(phone) ?? { failures: 0, easedUntil: 0 }
  }

  /** A read of this path has its answer. @param isStruck 5xx, and the CRM takes others */
  read({ name: phone }: Pick<Watched, 'name'>, path: string, isStruck: boolean): void {
    const now = this.parts.now()
    const ofPath = `${phone} ${path}`
    const { lastAt = now } = this.struck.get(ofPath) ?? {}
    if (isStruck) this.struck.set(ofPath, { lastAt: now, gapMs: now - lastAt })
    else this.struck.delete(ofPath)
    for (const [key, one] of this.failed) {
      if (!isOf(phone)(key) || !one.paths.includes(path)) continue
      this.triedInTime(phone, one)
      if (isStruck) Object.assign(one, { lastAt: now, gapMs: now - one.lastAt })
      else this.failed.delete(key)
    }
    this.countFailures(phone, isStruck)
  }

  private countFailures(phone: string, isStruck: boolean): void {
    const { failures, easedUntil } = this.outageOf(phone)
    const isLongOver = !isStruck && failures >= OUTAGE_FAILURES
    this.outages.set(phone, {
      failures: isStruck ? failures + 1 : 0,
      easedUntil: isLongOver ? this.parts.now() + EASE_MS : easedUntil,
    })
  }

  wrote(phone: Watched, row: StoredDoc): void {
    const name = String(row['key'])
    const key = `${whoseOf(phone)} ${name}`
    if (row['kind'] === 'prefetch') return
    if (row._deleted) return this.left(phone, row, key)
    this.again(phone, key, row)
    const now = this.parts.now()
    if (row['state'] === 'asked') {
      const { at = now } = this.open.get(key) ?? {}
      this.open.set(key, { at, name })
      return
    }
    const question = this.open.get(key)
    if (!question) return
    this.open.delete(key)
    this.answered += 1
    this.inTime(phone, question)
  }

  /** Nobody waits any more: who asked is gone for a day, or asked by a clock that was that far behind. */
  private left(phone: Watched, row: StoredDoc, key: string): void {
    this.failed.delete(key)
    const isOld = Date.parse(String(row['askedAt'])) <= phone.now() - 24 * HOUR_MS
    if (this.open.delete(key) && !isOld)
      this.parts.broken(
        'EX1',
        `${phone.name} drops the question ${String(row['key'])}, which waits for an answer`,
      )
  }

  /** What the CRM refuses is asked for again with the next round only. */
  private again(phone: Watched, key: string, row: StoredDoc): void {
    if (row['state'] !== 'failed') return void this.failed.delete(key)
    if (this.failed.has(key)) return
    const now = this.parts.now()
    const struck = pathsOf(row).flatMap((path) => {
      const known = this.struck.get(`${phone.name} ${path}`)
      return known && now - known.lastAt < SOON_MS ? [{ path, ...known }] : []
    })
    if (struck.length === 0) return
    this.failed.set(key, {
      at: this.open.get(key)?.at ?? now,
      name: String(row['key']),
      paths: struck.map(({ path }) => path),
      // a screen that asks once more does not begin anew with the waits
      gapMs: Math.max(...struck.map(({ gapMs }) => gapMs)),
      lastAt: Math.max(...struck.map(({ lastAt }) => lastAt)),
    })
  }

  /** What waits alone waits twice as long each time (PL8). */
  private triedInTime(phone: string, { at, lastAt, gapMs, name }: Failed): void {
    const { calm, now, broken } = this.parts
    const isCalm = at >= calm.tries
    const inLine = now() < calm.sharedUntil ? 2 * [...this.failed.keys()].filter(isOf(phone)).length : 1
    const bound = isCalm ? Math.min(inLine * TRIED_AGAIN_MS + MOST_LONGER * gapMs, PATIENCE_MS) : PATIENCE_MS
    const waited = now() - Math.max(lastAt, calm.tries, this.outageOf(phone).easedUntil)
    if (waited > bound)
      broken('PL8', `${phone} ${name}: failed, and not tried again for ${Math.round(waited / 1_000)} s`)
  }

  /** What is asked is answered, or visibly failed (PL5, PL8, PL9). */
  private inTime({ name: phone }: Watched, { at, name }: Question): void {
    const { calm, now, broken } = this.parts
    const isCalm = at - calm.answers >= PATIENCE_MS
    const bound = isCalm ? SOON_MS : PATIENCE_MS
    const waited = now() - Math.max(at, calm.answers)
    if (waited > bound)
      broken(
        'PL9',
        `${phone} ${name}: unanswered for ${Math.round(waited / 1_000)} s though nothing is in the way`,
      )
  }

  private *of(phone: Watched, all: Map<string, Question>): Generator<string> {
    for (const key of all.keys()) if (key.startsWith(`${whoseOf(phone)} `)) yield key
  }

  /** What was asked is not in the stores any more. */
  otherStores(phone: Watched): void {
    for (const key of this.of(phone, this.open)) this.open.delete(key)
    this.pageLeft(phone)
  }

  /** A page is gone, or stands still: what failed in it is only known to it. */
  pageLeft({ name }: Pick<Watched, 'name'>): void {
    for (const key of this.failed.keys()) if (isOf(name)(key)) this.failed.delete(key)
  }

  /** At the end. */
  finish(phone: Watched): void {
    for (const key of this.of(phone, this.open)) this.inTime(phone, this.open.get(key) as Question)
    for (const key of this.of(phone, this.failed))
      this.triedInTime(phone.name, this.failed.get(key) as Failed)
  }
}

/** By which a question is read; none of the notes of an area, which are read through any of its requests. */
function pathsOf({ resource = 'requests', requestId, recordKey }: StoredDoc): string[] {
  if (resource === 'noteLocationAreas') return []
  const root = String(resource).slice(0, -1)
  return [`${root}/request/${String(requestId)}`, `${root}/${String(recordKey ?? requestId)}`]
}
