/** Names of one user's stores: `genba-<hash>`, of the user's id and, where there are several CRMs, the CRM's; and what is derived from it. */
const USER = /^(?:rxdb-dexie-)?genba-(?:photos-|answers-|aside-)?([0-9a-f]{16}(?:[0-9a-f]{16})?)(?:--|$)/

/** @param names of databases @returns `genba-<hash>` of everyone whose they are */
export function usersNamed(names: readonly string[]): string[] {
  const found = names.map((name) => USER.exec(name)?.[1])
  return [...new Set(found.filter((hash) => hash !== undefined))].map((hash) => `genba-${hash}`)
}

/** How long a name is without the CRM's part. */
export const USER_PART = 'genba-'.length + 16

/** @returns whether the stores are of a user of the CRM whose names are those of before there were several */
export const isOfHome = (user: string): boolean => user.length === USER_PART
