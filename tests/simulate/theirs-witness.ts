/**
 * The witness of what a colleague has made first (RULES OR3): what was saved here once the CRM's record was on the device,
 * and one's own was refused or expired, hangs on nothing, and is never held back by that.
 */
import type { PushableRecord } from '#schemas/change.ts'
import type { SendFacts } from '#schemas/change.ts'
import { isEntry, type Save } from './save.ts'

/** So much later than both a form has opened with them, also in a tab that hears late. */
const SLACK_MS = 60_000

const nameOf = ({ disk, collection, key }: Pick<Save, 'disk' | 'collection' | 'key'>) =>
  `${disk.name} ${collection} ${key}`

export class TheirsWitness {
  /** Since when a device's record has been one of the CRM, epoch ms. */
  private readonly known = new Map<string, number>()
  /** Since when what was to make a record has been refused or expired, by its id. */
  private readonly parked = new Map<string, number>()

  recordWritten(
    place: Pick<Save, 'disk' | 'collection'>,
    key: string,
    record: PushableRecord | null,
    now: number,
  ) {
    const name = nameOf({ ...place, key })
    if (!record?.serverId) this.known.delete(name)
    else if (!this.known.has(name)) this.known.set(name, now)
  }

  stateWritten({ id, state }: SendFacts, now: number): void {
    if (state !== 'refused' && state !== 'expired') this.parked.delete(id)
    else if (!this.parked.has(id)) this.parked.set(id, now)
  }

  /** @param others saves of the same record */
  isOnTheirs(save: Save, others: readonly Save[]): boolean {
    const base = save.change.madeOn
    if (!this.known.has(nameOf(save)) || !base) return false
    const own = others.find((other) => isEntry(other) && other.change.stamp === base.stamp)
    // made twice here, in two tabs: the CRM has the one, and has refused the other
    return !own || (own.acked && others.some((other) => other !== own && isEntry(other) && other.parked))
  }

  /** @param heldBy id of the change that holds it back */
  isHeldInVain(save: Save, blockedBy: string): boolean {
    const since = [this.known.get(nameOf(save)), this.parked.get(blockedBy)]
    return since.every((at) => at !== undefined && save.call.at > at + SLACK_MS)
  }
}
