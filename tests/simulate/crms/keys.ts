/** The keys of a phone with several CRMs (decisions/encryption, decisions/config): the shipped ones, kept in memory. */
import { isOfCrm, isOfHome } from '#data/database/database-name.ts'
import type { StoredKeys } from '#data/encryption/stored-keys.ts'
import { createUserKeys, type UserKeys } from '#data/encryption/user-keys.ts'

/** Whose a key is. */
interface Owner {
  crm: string
  user: string
}

export interface KeyRules {
  /** Whose keys the login of a CRM looks at. */
  own: typeof isOfCrm
  /** Whether a logout at one CRM knows the sessions of another. */
  knowsAll: boolean
  /** Whose keys go with the CRM that is left. */
  goes: (user: string) => boolean
}

export const SHIPPED_KEYS: KeyRules = { own: isOfCrm, knowsAll: true, goes: isOfHome }

/** One person has the same at all: what tells the CRMs apart must be something else. */
const PASSWORD = 'password'

export function keysOfPhone() {
  const kept = new Map<string, StoredKeys>()
  let ids = 0
  const store = {
    get: async (user: string) => kept.get(user) ?? null,
    set: async (user: string, keys: StoredKeys) => void kept.set(user, keys),
    remove: async (user: string) => void kept.delete(user),
    all: async () => [...kept],
  }
  /** Of a page of this CRM. */
  const at = async (scope: string, { own }: KeyRules): Promise<UserKeys<Owner>> =>
    createUserKeys<Owner>({
      store,
      isOwn: await own(scope),
      locks: undefined,
      newId: () => `k-${(ids += 1)}`,
      rounds: 1,
    })
  return {
    at,
    async login(keys: UserKeys<Owner>, database: string, who: Owner): Promise<void> {
      const trying = await keys.trying(who.user, PASSWORD)
      const login = { user: database, userName: who.user, who }
      await trying.login(login, async () => undefined)
    },
    /** @returns whose key the password opens, where the CRM does not answer */
    async offline(keys: UserKeys<Owner>, user: string): Promise<Owner | null> {
      let found: Owner | null = null
      const trying = await keys.trying(user, PASSWORD)
      await trying.offline(async (who) => void (found = who))
      return found
    },
    isUsable: (database: string) => kept.get(database)?.keys.some(({ usable }) => usable) === true,
    forget: (goes: KeyRules['goes']) => {
      for (const user of kept.keys()) if (goes(user)) kept.delete(user)
    },
  }
}
