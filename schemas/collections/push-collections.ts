/** The collections whose records travel to the CRM: those that are declared. */
import type { declared } from './declared.ts'
import { declaredFacts } from './declared-facts.ts'

export type PushCollection = keyof typeof declared
export const pushCollections: readonly PushCollection[] = Object.keys(declaredFacts).filter(isPushCollection)

/** What addresses, drafts and files call one record of them: `quickReport`. */
export type PushSlug = (typeof declared)[PushCollection]['slug']

/** Those that a request has a list of, with nothing of their own beside their content: their path is declared whole. */
export type OfRequestCollection = {
  [C in PushCollection]: (typeof declared)[C] extends { list: 'of-request'; own: Record<string, never> }
    ? C
    : never
}[PushCollection]

/** What is stored may be of a version that knows others. */
export function isPushCollection(name: string): name is PushCollection {
  return Object.hasOwn(declaredFacts, name)
}

export const isOfRequest = (collection: PushCollection): collection is OfRequestCollection =>
  declaredFacts[collection].list === 'of-request'
