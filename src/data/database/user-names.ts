/**
 * Matches the names of one user's databases: `genba-<hash>` and names derived from it. The hash covers the
 * user's id and, with several CRMs, the CRM.
 */
const USER = /^(?:rxdb-dexie-)?genba-(?:photos-|answers-|aside-)?([0-9a-f]{16}(?:[0-9a-f]{16})?)(?:--|$)/

/**
 * Returns `genba-<hash>` of every user who owns one of these databases.
 * @param names database names
 */
export function usersNamed(names: readonly string[]): string[] {
  const found = names.map((name) => USER.exec(name)?.[1])
  return [...new Set(found.filter((hash) => hash !== undefined))].map((hash) => `genba-${hash}`)
}

/** Length of a user's name without the CRM's suffix. */
export const USER_PART = 'genba-'.length + 16

/** True if the stores belong to the default CRM, whose names have no CRM suffix. */
export const isOfHome = (user: string): boolean => user.length === USER_PART
