/** What the witness is told of its run. */
export interface WitnessOptions {
  honourIdempotency: boolean
  tracing: boolean
  /** So late a tab hears what another one saved. */
  hearsLateMs: number
  severalTabs: boolean
  /** Nothing is wrong with what is saved. */
  healthy: boolean
  /** The CRM's answers say how late it is. */
  dated: boolean
  /** Of the run, epoch ms. */
  start: number
  now: () => number
}
