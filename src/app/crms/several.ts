/** Summaries of several CRMs in localStorage, and the sending for CRMs not on the screen (decisions/config). */
import type { CrmState } from '#data/context/app-context.tsx'
import type { WritableStore } from '#lib/value-store.ts'
import type { CrmsParts, Suspendable } from './crms.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { readStoredJson, storeText } from '#lib/browser/stored-json.ts'
import { mayEnter } from '#lib/permission.ts'
import { sessionsOnDevice } from '#app/session/signed-in.ts'
import { frameAddress } from './frame-address.ts'

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

const KEY = 'genba:crm-summary'

export interface CrmSummary extends Pick<CrmState, 'unsent' | 'failed'> {
  session: Exclude<CrmState['session'], 'removed'>
}

const NO_SUMMARY: CrmSummary = { session: 'signed-out', unsent: 0, failed: false }

export const readSummary = (scope: string): CrmSummary =>
  readStoredJson(localStorage.getItem(scoped(KEY, scope)), NO_SUMMARY)

export const writeSummary = (scope: string, summary: CrmSummary): void =>
  storeText(scoped(KEY, scope), JSON.stringify(summary))

function watchSummaries(onChange: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(KEY)) onChange()
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
