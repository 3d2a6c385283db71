/**
 * Sends unsent work of the CRMs that are not on the screen, from one frame per CRM with a session: RxDB opens no more than one
 * user's collections per page (sync RULES trap 10), and a frame is a page.
 */
import { mayEnter } from '#lib/permission.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { sessionsOnDevice } from '#app/session/signed-in.ts'
import { addressOf } from './frame-address.ts'

export interface SendOthers {
  /** Closes the frames and their stores. @returns opens them again */
  suspend(): Promise<() => void>
}

/**
 * Starts the frames.
 * @param scopes of the CRMs that are not on the screen
 */
export function sendOthers(scopes: readonly string[], report: (problem: unknown) => void): SendOthers {
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
  const again = () => void update().catch(report)
  // a login or a logout of that CRM, in any tab
  for (const scope of scopes)
    new BroadcastChannel(scoped('genba-session', scope)).addEventListener('message', again)
  again()
  return {
    async suspend() {
      isSuspended = true
      for (const scope of scopes) close(scope)
      return () => {
        isSuspended = false
        again()
      }
    },
  }
}

function openFrame(scope: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.src = addressOf(scope)
  document.body.append(frame)
  return frame
}
