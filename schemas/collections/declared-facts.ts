/**
 * What the first screen needs of the declarations, from the file that `npm run schemas` makes of them; a test holds the two
 * equal (decisions/resources). TypeScript reads the JSON's texts as `string`.
 */
import type { Declaration } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import facts from './declared-facts.json'

type Fact = 'slug' | 'path' | 'owner' | 'list' | 'offline'

export const declaredFacts = facts as { readonly [C in keyof typeof declared]: Pick<Declaration, Fact> }

export const factsOf = ({ slug, path, owner, list, offline }: Declaration): Pick<Declaration, Fact> => ({
  slug,
  path,
  owner,
  list,
  offline,
})
