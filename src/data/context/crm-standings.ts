/** What waits for the CRMs that are not on the screen (decisions/config). */
import type { CrmState } from './app-context.tsx'

/** Those that have something waiting, in the order of `config.json`. */
export const waitingElsewhere = (crms: readonly CrmState[]): CrmState[] =>
  crms.filter(({ isShown, unsent }) => !isShown && unsent > 0)

/** How much that is in all, and whether somebody must decide about some of it. */
export function unsentElsewhere(crms: readonly CrmState[]): { unsent: number; failed: boolean } {
  const waiting = waitingElsewhere(crms)
  return {
    unsent: waiting.reduce((sum, { unsent }) => sum + unsent, 0),
    failed: waiting.some(({ failed }) => failed),
  }
}
