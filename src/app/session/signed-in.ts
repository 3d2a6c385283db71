/** Who is signed in on this device, at all its CRMs. Loaded where others than the one on the screen are looked at. */
import { createStore, entries } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import { databaseName } from '#data/database-name.ts'
import { mayEnter } from '#lib/permission.ts'
import { KEY, parseSession } from './session-store.ts'

const OF_SCOPE = `${KEY}@`

/** @returns sessions by scope (`crm-scope.ts`), those that have expired among them */
export async function sessionsOnDevice(): Promise<Map<string, Session>> {
  const stored = await entries<string, unknown>(createStore('genba-device', 'values'))
  return new Map(
    stored.flatMap(([name, value]) => {
      const scope = name === KEY ? '' : name.startsWith(OF_SCOPE) ? name.slice(OF_SCOPE.length) : null
      const session = scope === null ? null : parseSession(value)
      return scope !== null && session ? [[scope, session] as const] : []
    }),
  )
}

/**
 * @param isNamed whether `config.json` names the CRM: nobody sees what is of one that it does not name. All where it is not said
 * @returns `genba-<hash>` of everyone whose data may be on the device now: not of who may not see a screen of it (spec 6)
 */
export async function databasesInUse(isNamed: (scope: string) => boolean = () => true): Promise<string[]> {
  const found = [...(await sessionsOnDevice())].filter(
    ([scope, { userInfo }]) => isNamed(scope) && mayEnter(userInfo.userFlag),
  )
  return Promise.all(found.map(([scope, { userInfo }]) => databaseName(userInfo.id, scope)))
}

/** @returns whether a user is one of them, at the time that it is asked */
export const isIn = (users: () => Promise<string[]>) => async (user: string) => (await users()).includes(user)
