/** What everything of one run happens in. */
import type { CrmTokens } from './crm.ts'
import type { CrmState } from './crm-state.ts'
import type { Network } from './network.ts'
import type { Plan } from './plan.ts'
import type { VirtualTime } from './virtual-time.ts'
import type { PullWitness } from './witness.ts'

export interface PullWorld {
  plan: Plan
  start: number
  time: VirtualTime
  state: CrmState
  tokens: CrmTokens
  network: Network
  witness: PullWitness
  note(text: string): void
  /** By how much the next timer of a page runs before its time, in milliseconds. */
  early(): number
  /** The day has ended: nothing is opened any more. */
  isOver: boolean
  /** Something keeps answers away for a while. @param hinders also from being asked for again */
  disturbed(until?: number, hinders?: boolean): void
  /** A page of this phone is gone. */
  died(phone: string, wasStopped: boolean): void
}
