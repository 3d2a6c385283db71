/**
 * Sends the unsent work of CRMs that are not on the screen. Each CRM with a session gets a hidden iframe, because RxDB
 * opens the collections of only one user per page (sync RULES trap 10).
 */
import { mayEnter } from '#lib/permission.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { sessionsOnDevice } from '#app/session/signed-in.ts'
import { frameAddress } from './frame-address.ts'

export interface Suspendable {
  /**
   * Closes the databases, because a new version of the app needs exclusive access. @returns a function that opens them
   * again
   */
  suspend(): Promise<() => void>
}

/** Opens an iframe for each CRM that has a session. @param scopes of the CRMs that are not on the screen */
export function sendOthers(scopes: readonly string[], report: (problem: unknown) => void): Suspendable {
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
