/**
 * A session that has timed out (spec 4, 8; decisions/session). What is typed is kept as a draft, what is saved stays in
 * the queue (sync RULES OC5):
 *
 *     expired ─┬─ no signal ──────→ banner; one goes on with what is on the device
 *              ├─ INVALID_TOKEN ───→ asked ─ ログイン ─→ logout;  あとで ─→ banner
 *              ├─ 依頼検索 ────────→ banner with ログイン in a new tab ─ back in the window ─→ searched again
 *              └─ any other screen → logout ─→ login, which says why ─→ the screen again, with its draft
 *
 * One that the CRM was not asked for (decisions/encryption) leads there at a start, and once the signal is back: while
 * the CRM does not answer, the same login could only be made again.
 */
import type { Services, ValueStore } from '#data/app-context.tsx'
import type { AppRouter } from '#app/router.tsx'
import { createValueStore } from '#app/value-store.ts'

const SEARCH = '/request'
/** Behind login: every route below it. */
const GUARDED = '/_app'

type Parts = Pick<Services, 'flash' | 'session' | 'online'> & {
  /** What the banner says. */
  text: string
  router: AppRouter
  window: Pick<Window, 'addEventListener'> & { document: Pick<Document, 'hasFocus'> }
}

/** The question after INVALID_TOKEN. */
export interface TimeoutQuestion {
  asked: ValueStore<boolean>
  answer(toLogin: boolean): void
}

export function watchTimeout({ flash, session, online, text, router, window }: Parts): TimeoutQuestion {
  // once for each session that ends: whoever comes back, or answers あとで, works on
  let hasLeft = false
  const asked = createValueStore(false)
  const banner = () => flash.get().find(({ mode }) => mode === 'timeout')
  const leave = () => {
    // the form's question is not asked: its draft is there again after the login
    void router.navigate({
      to: '/logout',
      search: { redirect: router.state.location.href },
      replace: true,
      ignoreBlocker: true,
    })
  }
  const lead = (isInvalid: boolean) => {
    const { location, matches } = router.state
    const isOpen = !matches.some(({ routeId }) => routeId === GUARDED)
    if (hasLeft || isOpen || (location.pathname === SEARCH && !isInvalid)) return
    hasLeft = true
    if (isInvalid) asked.set(true)
    else leave()
  }
  const check = (isSignalBack = false) => {
    const { expired = false, tokenInvalid = false, accessToken = '' } = session.get() ?? {}
    if (expired) {
      if (!banner()) flash.show('timeout', text)
      if (online.get() && (accessToken !== '' || isSignalBack)) lead(tokenInvalid)
      return
    }
    hasLeft = false
    asked.set(false)
    const shown = banner()
    if (shown && (!session.get() || window.document.hasFocus())) flash.dismiss(shown.id)
  }
  session.subscribe(() => check())
  online.subscribe(() => check(online.get()))
  window.addEventListener('focus', () => check())
  router.subscribe('onResolved', () => check())
  check(online.get())
  return {
    asked,
    answer(toLogin) {
      asked.set(false)
      if (toLogin) leave()
    },
  }
}
