/** The collections whose records are sent to the CRM: those with a declaration. */
import type { declared } from './declared.ts'
import type { Declaration } from '#schemas/declare/declare.ts'
import facts from './declared-facts.json'

/**
 * What the first screen needs of the declarations. `npm run schemas` writes the JSON file, and a test checks it. The
 * cast is needed because TypeScript widens strings in JSON files.
 */
export const declaredFacts = facts as {
  readonly [C in keyof typeof declared]: Pick<Declaration, 'slug' | 'path' | 'owner' | 'list' | 'offline'>
}

export type PushCollection = keyof typeof declared
export const pushCollections: readonly PushCollection[] = Object.keys(declaredFacts).filter(isPushCollection)

/** Singular name of a push collection in URLs, drafts and file names: `quickReport`. */
export type PushSlug = (typeof declared)[PushCollection]['slug']

/** Collections with one list for each request and only content. Sync derives their code from the declaration. */
export type OfRequestCollection = {
  [C in PushCollection]: (typeof declared)[C] extends { list: 'of-request'; own: Record<string, never> }
    ? C
    : never
}[PushCollection]

/** True if this version sends the collection. A stored name may come from another version. */
export function isPushCollection(name: string): name is PushCollection {
  return Object.hasOwn(declaredFacts, name)
}

export const isOfRequest = (collection: PushCollection): collection is OfRequestCollection =>
  declaredFacts[collection].list === 'of-request'
