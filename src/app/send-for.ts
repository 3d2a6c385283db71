/** Runs in a hidden iframe: opens session, data and sync of one CRM, by its scope, without a screen. */
import type { Database } from '#data/database/database.ts'
import type { Session } from '#schemas/device/session.ts'
import { mayEnter } from '#lib/permission.ts'
import { databaseName } from '#data/database/database-name.ts'
import { isLocked } from '#data/encryption/stored-keys.ts'
import { LOCK_CHANNEL } from '#lib/browser/screen-lock.ts'
import type { FrameParts } from '#app/boot.ts'
import { openKeys } from '#app/session/state/keys.ts'
import { createNetwork } from '#app/network/network.ts'
import { guardBfcache } from '#app/startup/bfcache-guard.ts'
import { openUserData, type OpenedUserData } from '#app/session/user-data.ts'
import { publishSummary } from '#app/crms/publish-summary.ts'

/** Sends the unsent work of one CRM. Does nothing if `config.json` does not name the CRM. */
export async function sendFor(scope: string, parts: FrameParts): Promise<void> {
  const { openSessions, createErrorLog, createValueStore, storedSettingsOf, watchedFetch } = parts
  guardBfcache(window)
  const clock = parts.deviceClock()
  const { now } = clock
  const [sessions, values] = await Promise.all([openSessions(scope), parts.openDeviceValues()])
  const log = createErrorLog({ now, session: sessions.get, screen: () => '/outbox', scope })
  const report = (problem: unknown) => void log.add(problem)
  parts.watchUncaught(window, log, () => undefined)
  const env = await storedSettingsOf(scope, report)
  if (!env) return
  const fetch = watchedFetch(globalThis.fetch.bind(globalThis), log, sessions.tokenIsInvalid)
  const network = createNetwork({ env, scope, fetch, diagnostics: log.store })
  const data = createValueStore<{ db: Database } | null>(null)
  const locked = createValueStore(false)
  const { cannotOpen } = publishSummary({ scope, sessions, data, locked })
  const keys = await openKeys(scope)
  const isLockedFor = async (session: Session) =>
    isLocked(await keys.record(await databaseName(session.userInfo.id, scope)))
  let opened: OpenedUserData | null = null
  let openFor: string | null = null
  let running = Promise.resolve()
  const follow = async () => {
    const session = sessions.get()
    const isAllowed = session !== null && mayEnter(session.userInfo.userFlag)
    const isWaitingForPassword = isAllowed && (await isLockedFor(session))
    locked.set(isWaitingForPassword)
    const user = isAllowed && !isWaitingForPassword ? session.userInfo.id : null
    if (user === openFor) return
    openFor = user
    data.set(null)
    await opened?.close()
    opened = null
    if (!session || user === null) return
    try {
      // The iframe is hidden, so it does not show that the device is full or that another tab blocks the database.
      const unseen = { storageFull: () => undefined, waits: () => undefined, firstPaint: Promise.resolve() }
      opened = await openUserData({ clock, network, sessions, values, keys, report, session, ...unseen })
      data.set(opened)
    } catch (error) {
      cannotOpen()
      throw error
    }
  }
  const followNext = () => {
    running = running.then(follow).catch(report)
  }
  sessions.subscribe(followNext)
  new BroadcastChannel(LOCK_CHANNEL).addEventListener('message', followNext)
  followNext()
}
