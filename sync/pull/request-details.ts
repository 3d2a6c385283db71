/** The reads of requests, one by one: those that screens ask for, and those that are due (RULES PL4, PL5, PL9). */
import type { WithDeleted } from 'rxdb'
import { visitKey } from '#schemas/visit-key.ts'
import type { Interest } from '#schemas/interest.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { daysAt, laterDueBefore } from './freshness.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { Pacer } from './pacer.ts'
import type { PullLoop } from './pull-loop.ts'
import { questionName } from './questions.ts'
import { PLACES, type Way } from '../transport/read-queue.ts'
import { readOnce } from '../storage/read-once.ts'
import { detailsDue } from '../merge/reconcile.ts'

type Docs = WithDeleted<RequestRecord>[]

export interface DetailRead {
  docs: Docs
  state: 'answered' | 'missing' | 'failed'
}

const DUE_KEPT = 100
/** Those that nobody waits for: the places of the queue for them (`read-queue.ts`). */
const DETAILS_AT_ONCE = PLACES.background

interface Parts {
  db: SyncDatabase
  clock: { now(): number }
  loop: PullLoop<WithDeleted<RequestRecord>>
  /** @throws PullAgain when it could not be asked */
  read: (id: string, workingDate: string, way: Way) => Promise<DetailRead>
  answer: (asked: Interest, state: Interest['state'], total: number) => Promise<void>
  failedFor: (asked: Interest, outcome: Outcome) => Promise<unknown>
  /** ISO 8601: when the user last asked for everything; '' where that was not yet. */
  refreshedAt: () => string
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
  /** Whether it was read in this round. */
  isRead: (key: string) => boolean
}

export function createRequestDetails(parts: Parts) {
  const { db, clock, loop, read, answer, failedFor, refreshedAt, pacer, isRead } = parts
  /** Still to be read, most urgent first; looked for anew when none is left that does not wait for its pace. */
  let due: RequestRecord[] = []
  let underWay = 0
  /** Being read for a screen. */
  const asking = new Set<string>()
  const isUnread = ({ key }: RequestRecord) => !isRead(key) && !asking.has(key)

  /** By index: of thousands of requests few are due; without a signal thousands would only wait in memory. */
  async function findDue(): Promise<{ due: RequestRecord[]; paced: RequestRecord[] }> {
    const now = clock.now()
    const days = daysAt(now)
    // '' where they were never read
    const old = { detailConfirmedAt: { $lte: new Date(laterDueBefore(now)).toISOString() } }
    const near = { workingDate: { $gte: days.today, $lte: days.soon } }
    const rows = await Promise.all([old, near].map((selector) => readOnce(db.requests, { selector })))
    const records = new Map(rows.flat().map((request) => [request.key, request]))
    // those that failed before come last
    const isDoubtful = ({ key }: RequestRecord) => Number(loop.backoffs.isDoubtful(key))
    const unread = [...records.values()].filter((one) => isUnread(one) && loop.mayStart(one.key))
    const clocks = { now, days, refreshedAt: refreshedAt(), pausedSince: pacer.pausedSince() }
    const found = detailsDue(unread, clocks)
    const kept = (some: RequestRecord[]) =>
      some.toSorted((a, b) => isDoubtful(a) - isDoubtful(b)).slice(0, DUE_KEPT)
    return { due: kept(found.due), paced: kept(found.paced) }
  }

  function start({ key, id, workingDate }: RequestRecord): void {
    underWay += 1
    loop.start(key, async (signal) => {
      try {
        return (await read(id, workingDate, { priority: 'background', signal })).docs
      } finally {
        underWay -= 1
      }
    })
  }

  return {
    /** One request whole, for a screen. */
    beginAsked(asked: Interest, isOpen: boolean, onGlass: boolean) {
      const name = questionName(asked)
      if (!loop.mayAsk(name, isOpen)) return
      const { requestId = '', workingDate = '' } = asked
      const key = visitKey(requestId, workingDate)
      loop.drop(key)
      asking.add(key)
      const whole = async (signal: AbortSignal) => {
        const way: Way = { priority: onGlass ? 'screen' : 'window', signal }
        try {
          const { docs, state } = await read(requestId, workingDate, way)
          await answer(asked, state, docs.length)
          return docs
        } finally {
          asking.delete(key)
        }
      }
      loop.start(name, whole, (outcome) => failedFor(asked, outcome))
    },

    async beginDue(): Promise<void> {
      if (underWay >= DETAILS_AT_ONCE) return
      due = due.filter(isUnread)
      let paced: RequestRecord[] = []
      // while some wait for their pace, others may have become urgent
      if (due.length === 0) ({ due, paced } = await findDue())
      due.splice(0, DETAILS_AT_ONCE - underWay).forEach(start)
      // those that are not granted now are found again when the pace wakes the pull
      if (due.length > 0) return
      const wanted = Math.min(DETAILS_AT_ONCE - underWay, paced.length)
      paced.slice(0, pacer.grant(wanted)).forEach(start)
    },

    /** A new round. */
    again: () => void (due = []),
  }
}
