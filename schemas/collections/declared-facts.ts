/**
 * The parts of the declarations that the first screen needs, from a JSON file that `npm run schemas`
 * generates. A test checks that the file is up to date (decisions/resources). The cast is needed because
 * TypeScript types strings in JSON as `string`.
 */
import type { Declaration } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import facts from './declared-facts.json'

type Fact = 'slug' | 'path' | 'owner' | 'list' | 'offline'

export const declaredFacts = facts as { readonly [C in keyof typeof declared]: Pick<Declaration, Fact> }

/** The part of a declaration that the generated file contains. */
export function factsOf({ slug, path, owner, list, offline }: Declaration): Pick<Declaration, Fact> {
  return { slug, path, owner, list, offline }
}
