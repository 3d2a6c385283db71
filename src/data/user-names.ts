/** Names of one user's stores: `genba-<hash>`, and what is derived from it. */
const USER = /^(?:rxdb-dexie-)?genba-(?:photos-|answers-|aside-)?([0-9a-f]{16})(?:--|$)/

/** @param names of databases @returns `genba-<hash>` of everyone whose they are */
export function usersNamed(names: readonly string[]): string[] {
  const found = names.map((name) => USER.exec(name)?.[1])
  return [...new Set(found.filter((hash) => hash !== undefined))].map((hash) => `genba-${hash}`)
}
