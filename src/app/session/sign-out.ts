/**
 * Removes the session, and destroys the key that was usable with it (decisions/encryption). Unsent work stays, encrypted.
 */
import type { Keys } from '#app/session/state/keys.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import { databasesInUse, isIn } from './signed-in.ts'

export async function signOut(sessions: DeviceSessions, keys: () => Promise<Keys>): Promise<void> {
  await sessions.clear()
  await (await keys()).lock(isIn(() => databasesInUse()))
}
