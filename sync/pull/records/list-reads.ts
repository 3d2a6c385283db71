/** The reads of one collection's lists: how many of a kind at once, and at which priority (RULES PL9). */
import type { ReadPriority } from '#sync/scheduler/read-queue.ts'
import type { Task } from '#sync/pull/engine/engine-state.ts'
import { questionName } from '#sync/pull/engine/open-fetch-requests.ts'
import type { DueList } from './record-pull.ts'

/**
 * `one`: a record that a screen names. `screen`: a list on the glass. `soon`: it was sent from here and is not known whole, or
 * a screen asked for it some time ago. `background`: nobody waits for it. `free`: without a call.
 */
type Lane = 'one' | 'screen' | 'soon' | 'background' | 'free'

/** The other collections and the requests want their turn, too. */
export const LIST_LANES: Readonly<Record<Lane, number>> = {
  one: Infinity,
  screen: Infinity,
  soon: 2,
  background: 2,
  free: 20,
}

const PRIORITY: Record<Lane, ReadPriority> = {
  one: 'screen',
  screen: 'screen',
  soon: 'window',
  background: 'background',
  free: 'background',
}

/** The name of a list's read: one for a screen, or of what was sent, may run beside the background read. */
export function nameOf({ owner, urgency, askedAt, asked }: Omit<DueList, 'name'>): string {
  if (urgency === 'due' || urgency === 'paced') return owner
  if (urgency === 'sent') return `${owner} sent`
  return asked ? questionName(asked) : `${owner} ${askedAt}`
}

function laneOf({ urgency, forCurrentScreen }: DueList, isFree: boolean): Lane {
  if (urgency === 'due' || urgency === 'paced') return isFree ? 'free' : 'background'
  return urgency === 'screen' && forCurrentScreen ? 'screen' : 'soon'
}

/** The read of a list, as the engine sees it. @param isFree without a call */
export function listTask(list: DueList, isFree: boolean): Task & { priority: ReadPriority } {
  const lane = laneOf(list, isFree)
  return {
    name: list.name,
    lane,
    priority: PRIORITY[lane],
    isAsked: lane === 'screen',
    isPaced: list.urgency === 'paced' && !isFree,
    asked: list.asked,
    isGathered: lane === 'background' || lane === 'free',
    // this read makes the background read of the list superfluous
    ...(list.name !== list.owner && { instead: list.owner }),
  }
}
