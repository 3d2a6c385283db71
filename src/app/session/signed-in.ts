/** Reads the sessions of all CRMs on this device, and signs out of one CRM. */
import { createStore, entries } from 'idb-keyval'
import type { Session } from '#schemas/device/session.ts'
import { databaseName } from '#data/database/database-name.ts'
import { mayEnter } from '#lib/permission.ts'
import { KEY, parseSession, type DeviceSessions } from '#app/session/state/session-store.ts'
import type { Keys } from '#app/session/state/keys.ts'

const OF_SCOPE = `${KEY}@`

/** @returns the sessions by scope (`crm-scope.ts`), also expired sessions */
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

/** @returns names (`genba-<hash>`) of signed-in users with permission (spec 6), of the named CRMs */
export async function databasesInUse(isNamed: (scope: string) => boolean = () => true): Promise<string[]> {
  const found = [...(await sessionsOnDevice())].filter(
    ([scope, { userInfo }]) => isNamed(scope) && mayEnter(userInfo.userFlag),
  )
  return Promise.all(found.map(([scope, { userInfo }]) => databaseName(userInfo.id, scope)))
}

export const isIn = (users: () => Promise<string[]>) => async (user: string) => (await users()).includes(user)

/** Removes the session and destroys the usable key (decisions/encryption). Unsent work stays, encrypted. */
export async function signOut(sessions: DeviceSessions, keys: () => Promise<Keys>): Promise<void> {
  await sessions.clear()
  await (await keys()).lock(isIn(() => databasesInUse()))
}
