/**
 * Handles a session that times out (spec 4, 8; decisions/session). Typed input stays as a draft, saved changes stay in
 * the queue (sync RULES OC5):
 *
 *     expired ─┬─ no signal ──────→ banner; the user continues with the data on the device
 *              ├─ INVALID_TOKEN ───→ question ─ ログイン ─→ logout;  あとで ─→ banner
 *              ├─ 依頼検索 ────────→ banner with ログイン in a new tab ─ window focused again ─→ new search
 *              └─ any other screen → logout ─→ login with the reason ─→ the screen again, with its draft
 *
 * A session of an offline login has no token (decisions/encryption). The app opens the login for it only at a start
 * and when the signal returns, because until then another login would be offline too.
 */
import type { Session } from '#schemas/device/session.ts'
import type { FlashStore } from '#data/context/flash-store.ts'
import type { AppRouter } from '#app/router.tsx'
import { createValueStore, type ValueStore } from '#lib/value-store.ts'

const SEARCH = '/request'
const GUARDED = '/_app'

export interface TimeoutQuestion {
  asked: ValueStore<boolean>
  answer(toLogin: boolean): void
}

export function watchTimeout(parts: {
  flash: FlashStore
  session: ValueStore<Session | null>
  online: ValueStore<boolean>
  text: () => string
  router: AppRouter
  window: Pick<Window, 'addEventListener'> & { document: Pick<Document, 'hasFocus'> }
}): TimeoutQuestion {
  const { flash, session, online, text, router, window } = parts
  let isHandled = false
  const asked = createValueStore(false)
  const banner = () => flash.get().find(({ mode }) => mode === 'timeout')
  const leave = () => {
    // `ignoreBlocker` skips the question of an open form, because the form's draft is restored after the login.
    void router.navigate({
      to: '/logout',
      search: { redirect: router.state.location.href },
      replace: true,
      ignoreBlocker: true,
    })
  }
  const leaveOrAsk = (isInvalid: boolean) => {
    const { location, matches } = router.state
    const isPublic = !matches.some(({ routeId }) => routeId === GUARDED)
    if (isHandled || isPublic || (location.pathname === SEARCH && !isInvalid)) return
    isHandled = true
    if (isInvalid) asked.set(true)
    else leave()
  }
  const check = (isSignalBack = false) => {
    const { expired = false, tokenInvalid = false, accessToken = '' } = session.get() ?? {}
    if (expired) {
      if (!banner()) flash.show('timeout', text())
      if (online.get() && (accessToken !== '' || isSignalBack)) leaveOrAsk(tokenInvalid)
      return
    }
    isHandled = false
    asked.set(false)
    const shown = banner()
    // A tab without focus keeps the banner. Once the tab is focused, a new search runs and the banner is removed.
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
