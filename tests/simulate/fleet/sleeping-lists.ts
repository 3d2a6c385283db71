/**
 * The lists of a device that may be due now. The others sleep until the five minutes in which their time comes: a shorter
 * way to the same decisions, for a fleet has millions of lists.
 */
import { dueAt, lifeOf, type Days } from '#sync/pull/engine/freshness.ts'
import type { FleetList } from './window-of-work.ts'

const SLOT_MS = 300_000
const slotOf = (at: number) => Math.floor(at / SLOT_MS)

export class SleepingLists {
  readonly awake = new Set<FleetList>()
  private readonly asleep = new Map<number, FleetList[]>()
  private wokenTo: number

  /** @param now epoch ms */
  constructor(now: number) {
    this.wokenTo = slotOf(now)
  }

  wake(known: FleetList): void {
    this.awake.add(known)
  }

  /** Until its time comes nothing but what wakes a list can make it due. */
  rest(known: FleetList, now: number, days: Days): void {
    const { mark, pull, list, label } = known
    const until = mark ? dueAt(label, Date.parse(mark.at), lifeOf(pull.lifetime, list.requests, days)) : 0
    if (until <= now) {
      this.awake.add(known)
      return
    }
    this.awake.delete(known)
    // the five minutes of now have been gone through
    const slot = Math.max(slotOf(until), this.wokenTo)
    const others = this.asleep.get(slot)
    if (others) others.push(known)
    else this.asleep.set(slot, [known])
  }

  /** Those whose time comes in the five minutes of now are awake. */
  wakeTo(now: number): void {
    for (; this.wokenTo <= slotOf(now); this.wokenTo += 1) {
      for (const known of this.asleep.get(this.wokenTo) ?? []) this.awake.add(known)
      this.asleep.delete(this.wokenTo)
    }
  }
}
