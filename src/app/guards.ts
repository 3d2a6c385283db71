/** Route guards (spec 2, 6): redirect users who may not see a screen. */
import { redirect } from '@tanstack/react-router'
import type { Session } from '#schemas/device/session.ts'
import { mayEnter } from '#lib/permission.ts'
import { redirectTarget } from '#lib/browser/redirect-target.ts'

export type RouterContext = { session: () => Session | null }

type Guarded = { context: RouterContext; location: { href: string } }

/** Guards a screen behind login: redirects to the login without a session, and to `/forbidden` without permission. */
export function requirePermission({ context, location }: Guarded): void {
  const session = context.session()
  if (!session?.userInfo.id) throw redirect({ to: '/login', search: { redirect: location.href } })
  if (!mayEnter(session.userInfo.userFlag)) throw redirect({ to: '/forbidden', replace: true })
}

/**
 * Guards the login (spec 2): a signed-in user goes to the search, or back if the login was open (`cause` is `stay`).
 * A tab with `autoclose` is not redirected, because it closes itself.
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
