/** Route guards (spec 2, 6): who may see a screen, and where others are redirected. */
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

/** Pages behind login: others are redirected to login, and afterwards back with their query. */
export function requirePermission({ context, location }: Guarded): void {
  const session = context.session()
  if (!session?.userInfo.id) throw redirect({ to: '/login', search: { redirect: location.href } })
  if (!mayEnter(session.userInfo.userFlag)) throw redirect({ to: '/forbidden', replace: true })
}

/**
 * Guest pages: a signed-in user who opens one is redirected to the request search (spec 2). A user who signs in on the page,
 * here or in another tab, is redirected to the login's target; a tab that closes itself (`autoclose`) is not redirected.
 * @param cause `stay`: the page was already open
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
