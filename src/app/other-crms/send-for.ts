/**
 * The page of a frame (`send-others.ts`): one CRM's session, data and sync, and no screen. All it has is that CRM's own
 * (`crm-scope.ts`): it is an app of its own that shares the origin with the one on the screen.
 */
import type { Session } from '#schemas/session.ts'
import type { UserData } from '#data/app-context.tsx'
import { mayEnter } from '#lib/permission.ts'
import { deviceClock } from '../device-clock.ts'
import { keptSettingsOf } from '../device-settings.ts'
import { createErrorLog } from '../error-log.ts'
import { openJournal } from '../journal.ts'
import { createNetwork, type Network } from '../network.ts'
import { letGoWhenPutAside } from '../put-aside.ts'
import { openSessions, type DeviceSessions } from '../session-store.ts'
import { openUserData, type OpenedUserData, type OpenUserData } from '../user-data.ts'
import { createValueStore } from '../value-store.ts'
import { loggedFetch, watchedFetch, watchUncaught } from '../watch-errors.ts'
import { followStanding } from './standing.ts'

/** Ends at once where `config.json` does not name the CRM. */
export async function sendFor(scope: string): Promise<void> {
  letGoWhenPutAside(window)
  const { now } = deviceClock()
  const sessions = await openSessions(scope)
  const log = createErrorLog({
    now,
    session: sessions.get,
    agent: navigator.userAgent,
    screen: () => '/outbox',
    scope,
  })
  const report = (problem: unknown) => void log.add(problem)
  watchUncaught(window, log, () => undefined)
  const env = await keptSettingsOf(scope, report)
  if (!env) return
  const fetch = watchedFetch(loggedFetch(globalThis.fetch.bind(globalThis), log), sessions.tokenIsInvalid)
  const user = () => sessions.get()?.userInfo.id ?? ''
  const journal = openJournal({ now, user, scope })
  const network = createNetwork({ env, scope, fetch, journal })
  const data = createValueStore<Pick<UserData, 'db'> | null>(null)
  followStanding({ scope, sessions, data })
  followSession(
    sessions,
    (session) => openUserData(partsOf(session, network, sessions, report)),
    data,
    report,
  )
}

/** Opens what is of whoever is signed in there, and closes it at the logout. */
function followSession(
  sessions: DeviceSessions,
  open: (session: Session) => Promise<OpenedUserData>,
  data: { set(opened: OpenedUserData | null): void },
  report: (problem: unknown) => void,
): void {
  let opened: OpenedUserData | null = null
  let openFor: string | null = null
  let turn = Promise.resolve()
  const follow = async () => {
    const session = sessions.get()
    const user = session && mayEnter(session.userInfo.userFlag) ? session.userInfo.id : null
    if (user === openFor) return
    openFor = user
    data.set(null)
    await opened?.close()
    opened = session && user !== null ? await open(session) : null
    data.set(opened)
  }
  const queue = () => {
    turn = turn.then(follow).catch(report)
  }
  sessions.subscribe(queue)
  queue()
}

const partsOf = (
  session: Session,
  network: Network,
  sessions: DeviceSessions,
  report: OpenUserData['report'],
): OpenUserData => ({
  session,
  env: network.env,
  network,
  sessions,
  clock: deviceClock(),
  drawn: Promise.resolve(),
  report,
  // the page above says it of the device
  storageFull: () => undefined,
  waits: () => undefined,
})
