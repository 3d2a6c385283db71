/** Summaries of several CRMs in localStorage, and the sending for CRMs not on the screen (decisions/config). */
import type { CrmState } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import type { Session } from '#schemas/device/session.ts'
import type { ValueStore, WritableStore } from '#lib/value-store.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { mayEnter } from '#lib/permission.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import { sessionsOnDevice } from '#app/session/signed-in.ts'
import { frameAddress } from './frame-address.ts'
import { readSummary, watchSummaries } from './summary.ts'

export interface Suspendable {
  /** Closes the databases, because a new version needs exclusive access. @returns a function that opens them again */
  suspend(): Promise<() => void>
}

export interface CrmsParts {
  settings: Pick<DeviceSettings, 'crms' | 'isNamed' | 'usable'>
  sessions: ValueStore<Session | null>
  scope: string
  userData: ValueStore<{ db: Database } | null>
  memory: { clear(): void }
  firstPaint: Promise<void>
  report: (problem: unknown) => void
}

type Several = CrmsParts & { states: WritableStore<readonly CrmState[]> }

/** Updates `states` until the page closes. @returns `send`, which sends the work of CRMs that are not on screen */
export function followSeveral({ settings, sessions, scope, userData, states, report }: Several) {
  const update = () => states.set(statesOf(settings, scope))
  update()
  watchSummaries(update)
  return {
    async send(): Promise<Suspendable | null> {
      update()
      if (states.get().length === 0) return null
      const { publishSummary } = await import('./publish-summary.ts')
      publishSummary({ scope, sessions, data: userData })
      const scopes = states
        .get()
        .flatMap((crm) => (crm.isShown || crm.session === 'removed' ? [] : crm.scope))
      return sendOthers(scopes, report)
    },
  }
}

/** Returns the state of each CRM; [] if the device uses only one. @param shown scope of the CRM on screen */
function statesOf(settings: Several['settings'], shown: string): CrmState[] {
  const crms = settings.crms()
  if (crms.length < 2) return []
  return crms.map(({ scope, crmName, appName }) => {
    const summary = readSummary(scope)
    const session = settings.isNamed(scope) ? summary.session : 'removed'
    return { ...summary, session, scope, name: crmName || appName, isShown: scope === shown }
  })
}

/** Opens an iframe for each CRM that has a session. @param scopes of the CRMs that are not on the screen */
function sendOthers(scopes: readonly string[], report: (problem: unknown) => void): Suspendable {
  const frames = new Map<string, HTMLIFrameElement>()
  let isSuspended = false
  const close = (scope: string) => {
    frames.get(scope)?.remove()
    frames.delete(scope)
  }
  const update = async () => {
    const sessions = await sessionsOnDevice()
    for (const scope of scopes) {
      const session = sessions.get(scope)
      const isWanted = !isSuspended && session !== undefined && mayEnter(session.userInfo.userFlag)
      if (!isWanted) close(scope)
      else if (!frames.has(scope)) frames.set(scope, openFrame(scope))
    }
  }
  const updateAgain = () => void update().catch(report)
  // Each login and logout at a CRM, in any tab, posts a message on the CRM's channel.
  for (const scope of scopes)
    new BroadcastChannel(scoped('genba-session', scope)).addEventListener('message', updateAgain)
  updateAgain()
  return {
    async suspend() {
      isSuspended = true
      for (const scope of scopes) close(scope)
      return () => {
        isSuspended = false
        updateAgain()
      }
    },
  }
}

function openFrame(scope: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.src = frameAddress(scope)
  document.body.append(frame)
  return frame
}
