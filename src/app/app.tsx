import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { ServicesContext, UserDataContext, useValue } from '#data/context/app-context.tsx'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { mayEnter } from '#lib/permission.ts'
import { measurePaint } from '#lib/time/user-timing.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import { FormDraftsContext } from '#form/form-drafts.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { warmTimeInput } from '#ui/controls/warm-inputs.ts'
import type { Booted } from './boot.ts'
import type { AppRouter } from './router.tsx'
import type { TimeoutQuestion as Question } from './watch-timeout.ts'
import { afterFirstPaint } from '#app/startup/after-first-paint.ts'

const DemoControl =
  import.meta.env.MODE === 'demo'
    ? lazyCode(async () => (await import('./demo/demo-control.tsx')).DemoControl)
    : null

const LockScreen = lazyCode(() =>
  loadUntilThere(async () => (await import('#features/session/lock-screen.tsx')).LockScreen),
)

const TimeoutQuestion = lazyCode(() =>
  loadUntilThere(async () => (await import('./timeout-question.tsx')).TimeoutQuestion),
)

type AppProps = Booted & { router: AppRouter; timeout: Question }

/** The screens of the app, or the lock screen while the user's data is locked. */
export function App({ firstPaint, networkIdle, services, sessions, userData, demo, ...page }: AppProps) {
  const { router, timeout } = page
  const session = useValue(sessions)
  const data = useValue(userData)
  const isAsked = useValue(timeout.asked)
  const lock = useValue(services.lock.state)
  // Runs the route guards after a login or logout. They also run after the first render, because a tap during the start
  // may have changed the URL.
  useEffect(() => void router.invalidate(), [router, session])
  useEffect(() => measurePaint('app:operable'), [])
  const isSignedIn = session !== null && mayEnter(session.userInfo.userFlag)
  // True while the user's data is locked or is being opened.
  const isOpening = lock !== 'open' || (isSignedIn && data === null)
  // Starts work that the first screen does not need, once that screen is painted.
  useEffect(() => {
    const startLaterWork = () => {
      firstPaint.resolve()
      data?.painted()
      if (data) void networkIdle.then(() => warmScreens(router))
    }
    return afterFirstPaint(startLaterWork, isOpening, data?.live.isReading)
  }, [firstPaint, isOpening, data, router, networkIdle])
  return (
    <I18nProvider i18n={i18n}>
      <ServicesContext value={services}>
        <UserDataContext value={data}>
          <FormDraftsContext value={data?.drafts ?? null}>
            {lock === 'open' && <RouterProvider router={router} />}
            {lock === 'locked' && (
              <Suspense>
                <LockScreen />
              </Suspense>
            )}
            {lock === 'open' && isAsked && (
              <Suspense>
                <TimeoutQuestion answer={timeout.answer} />
              </Suspense>
            )}
          </FormDraftsContext>
          {DemoControl && demo && (
            <Suspense>
              <DemoControl network={demo} />
            </Suspense>
          )}
        </UserDataContext>
      </ServicesContext>
    </I18nProvider>
  )
}

/** Loads the code of every screen, so that each screen opens without a signal. */
async function warmScreens(router: AppRouter) {
  for (const route of Object.values(router.routesById)) {
    await whenIdle()
    await router.loadRouteChunk(route)?.catch(() => undefined)
  }
  await warmTimeInput(whenIdle)
}
