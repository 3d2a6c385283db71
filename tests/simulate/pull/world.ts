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
  /** The day has ended: nothing is opened any more. */
  isOver: boolean
  /** Something keeps answers away for a while. */
  disturbed(until?: number): void
  /** A page of this phone is gone. */
  died(phone: string, wasStopped: boolean): void
}
