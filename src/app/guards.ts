/** Route guards (spec 2, 6): who may see a screen, and where the others go. */
import { redirect } from '@tanstack/react-router'
import type { Session } from '#schemas/session.ts'
import { mayEnter } from '#lib/permission.ts'
import { redirectTarget } from '#lib/browser/redirect-target.ts'

export interface RouterContext {
  /** The session on this device now; an expired one still shows what is stored, and asks for login. */
  session: () => Session | null
}

interface Guarded {
  context: RouterContext
  location: { href: string }
}

/** Pages behind login: others go to login and come back to where they wanted, query and all. */
export function requirePermission({ context, location }: Guarded): void {
  const session = context.session()
  if (!session?.userInfo.id) throw redirect({ to: '/login', search: { redirect: location.href } })
  if (!mayEnter(session.userInfo.userFlag)) throw redirect({ to: '/forbidden', replace: true })
}

/**
 * Guest pages: who opens one and is signed in goes to the request search (spec 2). Who signs in while it stands there, here
 * or in another tab, goes where the login was to lead; a tab that closes itself then stays until it does.
 * @param cause `stay`: the page stood there already
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
