/** Rules shared by all record types about which of their changes the screens show. */
import type { SendFacts } from '#schemas/change.ts'

/** True if the CRM has locked the record against further edits (error ec00008). */
export const isTaken = (server: { editStatus?: string | null } | undefined) => server?.editStatus === 'NG'

/** Send states of changes that will never reach the CRM unless a person acts. */
const NOT_COUNTED: readonly (string | undefined)[] = ['refused', 'expired', 'discarded']

/** True if the change was refused, expired or discarded. */
export const isDead = ({ state }: { state: string | undefined }): boolean => NOT_COUNTED.includes(state)

/**
 * Returns the changes that may count in what a screen shows. Refused, expired and discarded changes do not,
 * because screens never show more than the CRM answered (sync RULES ST1).
 */
export const counting = <C extends { id: string }>(
  changes: readonly C[],
  ledger: ReadonlyMap<string, SendFacts>,
): C[] => changes.filter(({ id }) => !NOT_COUNTED.includes(ledger.get(id)?.state))
