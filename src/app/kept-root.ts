/** What the script in the page and the app know of each other: names in the storages, and what stands at the root. */

/** In localStorage: what the next start shows first. */
export const KEPT_START = 'genba:first-rows'
/** In `genba-device`, beside the session: its token must match the one in `KEPT_START`. */
export const KEPT_WORD = 'first-rows'

export interface KeptRoot extends HTMLElement {
  /** What stands there and what it was drawn of, as storage gave it back, how it lies there (`kept-start.ts`), and whose it is. */
  kept?: { user: string; half: unknown; isSealed: boolean; nodes: unknown; list: unknown }
}
