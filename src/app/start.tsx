import '#ui/styles/index.css'
import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactElement } from 'react'
import { watchTouches, LONG_WAIT_MS } from '#lib/time/user-timing.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import { watchMissingCode } from '#lib/browser/missing-code.ts'
import { filledText, firstMessages } from '#messages/first-messages.ts'
import { App } from './app.tsx'
import { boot, type Booted } from './boot.ts'
import { createLanguageStore } from '#app/shell/language.ts'
import { guardBfcache } from '#app/startup/bfcache-guard.ts'
import { createAppRouter, type AppRouter } from './router.tsx'
import { watchTimeout } from './watch-timeout.ts'
import { lastScope, scoped } from '#lib/browser/crm-scope.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'

/** Key in localStorage of the signed-in user's id, by which `first-paint.ts` chooses what the next start paints. */
const SHELL_USER = scoped('genba:shell', lastScope())

const shellUser = (): string | null => localStorage.getItem(SHELL_USER)

/** Returns the user's id with the scope of the CRM, because users of two CRMs may have equal ids. */
const nameOf = (userId: string | null | undefined) => (userId ? scoped(userId, lastScope()) : null)

function followShellUser(
  sessions: Pick<DeviceSessions, 'get' | 'subscribe'>,
  changed: (userId: string | null) => void,
): void {
  const follow = () => {
    const userId = sessions.get()?.userInfo.id
    changed(nameOf(userId))
    if (userId === undefined) localStorage.removeItem(SHELL_USER)
    else if (shellUser() !== userId) localStorage.setItem(SHELL_USER, userId)
  }
  follow()
  sessions.subscribe(follow)
}

async function loadScreen(router: AppRouter): Promise<void> {
  await router.load()
  await Promise.all(
    router.state.matches.map(async ({ routeId }) => router.loadRouteChunk(router.routesById[routeId])),
  )
}

/** Loads the code of the user's data while session and settings are read. */
const loadAhead = () =>
  void Promise.allSettled([import('#app/network/network.ts'), import('#app/session/user-data.ts')])

/** Maximum wait for the user's data before the first render. If the data opens in time, the first render shows rows. */
const DATA_WAIT_MS = 1_000

/** @returns the app as an element, or a text about why it cannot start */
export async function start(): Promise<ReactElement> {
  const endNotice = noticeOfSlowStart()
  try {
    return await bootApp()
  } catch (error) {
    console.error(error)
    const { NotStarted } = await import('#app/startup/not-started.tsx')
    return <NotStarted error={error} />
  } finally {
    endNotice()
  }
}

/** Shows a notice if the start takes long, for example because the storage does not answer. @returns removes it */
function noticeOfSlowStart(): () => void {
  let isOver = false
  let removeNotice = () => undefined as void
  const showNotice = async () => {
    const { showLongWait } = await import('#app/startup/not-started.tsx')
    if (!isOver) removeNotice = showLongWait()
  }
  const timer = setTimeout(() => void showNotice().catch(console.error), LONG_WAIT_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
    removeNotice()
  }
}

async function bootApp(): Promise<ReactElement> {
  guardBfcache(window)
  watchTouches(window)
  watchMissingCode(window)
  if (shellUser() !== null) loadAhead()
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  const language = createLanguageStore(i18n, nameOf(shellUser()))
  const booted = await boot(language)
  followShellUser(booted.sessions, language.followUser)
  const router = createAppRouter(booted.sessions.get, booted.report)
  const routeShown = () => router.state.matches.at(-1)?.fullPath ?? ''
  void booted.firstPaint.done.then(() => measure(booted, routeShown)).catch(booted.report)
  const timeout = watchTimeout({
    ...booted.services,
    text: () => filledText(i18n, firstMessages.ec00005),
    router,
    window,
  })
  // The first paint waits for these promises, so that it shows a screen and no loading state.
  await Promise.all([loadScreen(router), booted.lockKnown, language.ready])
  await Promise.race([booted.dataFollowed(), new Promise((late) => setTimeout(late, DATA_WAIT_MS))])
  if (language.missing.get())
    booted.services.flash.show(
      'warning',
      i18n._(msg`この言語はまだ端末にありません。電波の届く場所で表示します。それまでは日本語です。`),
    )
  return <App {...booted} router={router} timeout={timeout} />
}

/** Measures the performance figures, once the screen is idle. */
async function measure({ figures }: Booted, route: () => string): Promise<void> {
  await whenIdle()
  const [opened, { watchFigures }] = await Promise.all([figures(), import('#app/diagnostics/figures.ts')])
  watchFigures(opened, route)
}
