/** The collections whose records travel to the CRM: those that are declared. */
import { declared } from './declared.ts'

export type PushCollection = keyof typeof declared
export const pushCollections: readonly PushCollection[] = Object.keys(declared).filter(isPushCollection)

/** What addresses, drafts and files call one record of them: `quickReport`. */
export type PushSlug = (typeof declared)[PushCollection]['slug']

/** What is stored may be of a version that knows others. */
export function isPushCollection(name: string): name is PushCollection {
  return Object.hasOwn(declared, name)
}
