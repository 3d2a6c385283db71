/**
 * The reads of one collection's lists that are under way: how many of a kind, and at which priority (RULES PL9).
 */
import type { WithDeleted } from 'rxdb'
import type { Interest } from '#schemas/interest.ts'
import type { Pacer } from './pacer.ts'
import type { PullLoop } from './pull-loop.ts'
import { questionName } from './questions.ts'
import type { ReadPriority, Way } from '../transport/read-queue.ts'
import type { DueList } from './record-pull.ts'

/**
 * `screen`: it is on the glass. `soon`: it was sent from here and is not known whole, or a screen asked for it some time ago.
 * `paced`: only to be confirmed, when its pace allows (RULES PL10). `free`: without a call.
 */
type Kind = 'screen' | 'soon' | 'background' | 'paced' | 'free'

/** Those that nobody waits for share their places. */
type Counted = Exclude<Kind, 'paced'>
const countedAs = (kind: Kind): Counted => (kind === 'paced' ? 'background' : kind)

/** The other collections and the requests want their turn, too. */
const AT_ONCE: Record<Counted, number> = { screen: Infinity, soon: 2, background: 2, free: 20 }

const PRIORITY: Record<Counted, ReadPriority> = {
  screen: 'screen',
  soon: 'window',
  background: 'background',
  free: 'background',
}

interface Parts<R> {
  loop: PullLoop<WithDeleted<R>>
  pacer: Pick<Pacer, 'grant'>
  isFree: (list: DueList) => boolean
  read: (list: DueList, way: Way) => Promise<WithDeleted<R>[]>
  /** A list could not be read. */
  failed: (list: DueList, answered: boolean) => Promise<unknown>
}

/** What the read of a list is known by: for a screen, or of what was sent, beside that for nobody. */
export function nameOf({ owner, urgency, askedAt, asked }: Omit<DueList, 'name'>): string {
  if (urgency === 'due' || urgency === 'paced') return owner
  if (urgency === 'sent') return `${owner} sent`
  return asked ? questionName(asked) : `${owner} ${askedAt}`
}

/** So long after the latest question another one may be of the same screen. */
const SAME_SCREEN_MS = 60_000

/** Whether a question is of the screen that is open now, as far as the questions tell. @param at ISO 8601 */
export const isOnGlass = (at: string, questions: readonly Pick<Interest, 'askedAt'>[]): boolean =>
  questions.every(({ askedAt }) => Date.parse(askedAt) - Date.parse(at) < SAME_SCREEN_MS)

export function createListReads<R>({ loop, pacer, isFree, read, failed }: Parts<R>) {
  const underWay: Record<Counted, number> = { screen: 0, soon: 0, background: 0, free: 0 }
  const kindOf = (list: DueList): Kind => {
    if (list.urgency === 'due') return isFree(list) ? 'free' : 'background'
    if (list.urgency === 'paced') return isFree(list) ? 'free' : 'paced'
    return list.urgency === 'screen' && list.onGlass ? 'screen' : 'soon'
  }
  return {
    /** Another list that nobody waits for could begin. */
    hasRoom: () => underWay.background < AT_ONCE.background,

    /** @returns whether the read of the list began: there was a place for it */
    begin(list: DueList, isOpen: boolean): boolean {
      const due = kindOf(list)
      const kind = countedAs(due)
      if (underWay[kind] >= AT_ONCE[kind]) return false
      const may = kind === 'screen' ? loop.mayAsk(list.name, isOpen) : isOpen && loop.mayStart(list.name)
      if (!may) return false
      // asked for last: what is granted leaves
      if (due === 'paced' && pacer.grant(1) === 0) return false
      // what was to be read for nobody does not leave any more
      if (list.name !== list.owner) loop.drop(list.owner)
      underWay[kind] += 1
      const counted = async (signal: AbortSignal) => {
        try {
          return await read(list, { priority: PRIORITY[kind], signal })
        } finally {
          underWay[kind] -= 1
        }
      }
      loop.start(list.name, counted, (outcome) => failed(list, outcome.kind === 'unknown'))
      return true
    },
  }
}
