/**
 * The parts of the declarations that the first screen needs. `npm run schemas` generates the JSON file, and a test
 * checks it (decisions/resources). The cast is needed because TypeScript widens strings in JSON files.
 */
import type { Declaration } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import facts from './declared-facts.json'

type Fact = 'slug' | 'path' | 'owner' | 'list' | 'offline'

export const declaredFacts = facts as { readonly [C in keyof typeof declared]: Pick<Declaration, Fact> }

/** The part of a declaration that the JSON file contains. */
export function factsOf({ slug, path, owner, list, offline }: Declaration): Pick<Declaration, Fact> {
  return { slug, path, owner, list, offline }
}
