/** What all records that travel have in common where they are shown. */
import type { SendFacts } from '#schemas/change.ts'

/** The CRM has taken the record over: no more edits (ec00008). */
export const isTaken = (server: { editStatus?: string | null } | undefined) => server?.editStatus === 'NG'

const DEAD: readonly (string | undefined)[] = ['refused', 'expired', 'discarded']

/** Refused, expired or given up. */
export const isDead = ({ state }: { state: string | undefined }): boolean => DEAD.includes(state)

/** Nothing shows more than the CRM answered: what was refused, expired or given up does not count (sync RULES ST1). */
export const counting = <C extends { id: string }>(
  changes: readonly C[],
  ledger: ReadonlyMap<string, SendFacts>,
): C[] => changes.filter(({ id }) => !DEAD.includes(ledger.get(id)?.state))
