/** Decides which local changes screens show. The rules are the same for all record types. */
import type { SendFacts } from '#schemas/change.ts'

/** True if the CRM has locked the record against further edits (error ec00008). */
export const isLockedByCrm = (server: { editStatus?: string | null } | undefined) =>
  server?.editStatus === 'NG'

/** States of changes that will not reach the CRM unless a person acts; screens do not show their content. */
const NOT_SHOWN: readonly (string | undefined)[] = ['refused', 'expired', 'discarded']

/** True if the change was refused, expired or discarded. */
export const isNotShown = ({ state }: { state: string | undefined }): boolean => NOT_SHOWN.includes(state)

/**
 * Returns the changes whose content screens show. Changes that are still to be sent count. Refused, expired and discarded
 * changes do not count, because they reach the CRM only if a person acts (sync RULES ST1).
 */
export const shownChanges = <C extends { id: string }>(
  changes: readonly C[],
  progress: ReadonlyMap<string, SendFacts>,
): C[] => changes.filter(({ id }) => !NOT_SHOWN.includes(progress.get(id)?.state))
