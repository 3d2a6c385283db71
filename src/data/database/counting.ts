/** Decides which local changes screens show, for records of every type. */
import type { SendFacts } from '#schemas/change.ts'

/** True if the CRM allows no further edits of the record (error ec00008). */
export const isLockedByCrm = (server: { editStatus?: string | null } | undefined) =>
  server?.editStatus === 'NG'

/** States of changes that reach the CRM only after a person acts. Screens do not show their content. */
const NOT_SHOWN: readonly (string | undefined)[] = ['refused', 'expired', 'discarded']

export const isNotShown = ({ state }: { state: string | undefined }): boolean => NOT_SHOWN.includes(state)

/** Returns the changes whose content screens show: all except refused, expired and discarded ones (sync RULES ST1). */
export const shownChanges = <C extends { id: string }>(
  changes: readonly C[],
  progress: ReadonlyMap<string, SendFacts>,
): C[] => changes.filter(({ id }) => !NOT_SHOWN.includes(progress.get(id)?.state))
