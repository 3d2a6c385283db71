/** Route guards (spec 2, 6): they decide who may see a screen, and redirect everybody else. */
import { redirect } from '@tanstack/react-router'
import type { Session } from '#schemas/device/session.ts'
import { mayEnter } from '#lib/permission.ts'
import { redirectTarget } from '#lib/browser/redirect-target.ts'

export interface RouterContext {
  /** The current session of this device; an expired one still shows stored data. */
  session: () => Session | null
}

interface Guarded {
  context: RouterContext
  location: { href: string }
}

/** Guards a page behind login. Without a session it redirects to the login, which then leads back with the query. */
export function requirePermission({ context, location }: Guarded): void {
  const session = context.session()
  if (!session?.userInfo.id) throw redirect({ to: '/login', search: { redirect: location.href } })
  if (!mayEnter(session.userInfo.userFlag)) throw redirect({ to: '/forbidden', replace: true })
}

/**
 * Guards a page for guests. A signed-in user who opens it is redirected to the request search (spec 2). A user who signs in
 * while it is open, in any tab, is redirected to the login's target, unless the tab closes itself (`autoclose`).
 * @param cause `stay` if the page was already open
 */
export function requireGuest({
  context,
  search,
  cause,
}: Guarded & { search: { redirect?: string; autoclose?: string }; cause: string }): void {
  const session = context.session()
  if (!session || session.expired) return
  if (cause !== 'stay') throw redirect({ to: '/request', replace: true })
  if (!search.autoclose) throw redirect({ href: redirectTarget(search.redirect), replace: true })
}
