import type { Phone } from './phone.ts'
import type { PullWorld } from './world.ts'

/** A run as it goes on. */
export interface Day {
  world: PullWorld
  /** Opens what is missing of a phone's tabs. */
  open(phone: Phone): Promise<void>
  /** So many things were done. */
  count(): number
}
