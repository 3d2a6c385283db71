/** The lanes and priorities of list reads (RULES PL9). */
import type { ReadPriority } from '#sync/scheduler/schedule.ts'
import type { Task } from '#sync/pull/engine/engine-state.ts'
import { questionName } from '#sync/pull/engine/open-fetch-requests.ts'
import type { DueList } from './record-pull.ts'

/**
 * `one`: a record that a screen needs by id. `screen`: a list on the current screen. `soon`: a list with
 * records that this device has sent and not read back, or that an earlier screen requested. `background`:
 * nobody waits for it. `free`: needs no call.
 */
type Lane = 'one' | 'screen' | 'soon' | 'background' | 'free'

/** Limited, because other collections and the requests also need places. */
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

/** Name of a list's read. A read for a screen, or of sent records, may run beside the background read. */
export function nameOf({ owner, urgency, askedAt, asked }: Omit<DueList, 'name'>): string {
  if (urgency === 'due' || urgency === 'paced') return owner
  if (urgency === 'sent') return `${owner} sent`
  return asked ? questionName(asked) : `${owner} ${askedAt}`
}

function laneOf({ urgency, forCurrentScreen }: DueList, isFree: boolean): Lane {
  if (urgency === 'due' || urgency === 'paced') return isFree ? 'free' : 'background'
  return urgency === 'screen' && forCurrentScreen ? 'screen' : 'soon'
}

/**
 * The read as a task of the engine.
 * @param isFree true if it needs no call
 */
export function listTask(list: DueList, isFree: boolean): Task & { priority: ReadPriority } {
  const lane = laneOf(list, isFree)
  return {
    name: list.name,
    lane,
    priority: PRIORITY[lane],
    isForScreen: lane === 'screen',
    isPaced: list.urgency === 'paced' && !isFree,
    asked: list.asked,
    isGathered: lane === 'background' || lane === 'free',
    // This read replaces the background read of the list.
    ...(list.name !== list.owner && { replaces: list.owner }),
  }
}
