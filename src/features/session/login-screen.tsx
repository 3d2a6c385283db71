import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { useOnline, useServices, useValue } from '#data/app-context.tsx'
import { useShownCrm } from '#data/shown-crm.ts'
import { pageTitle } from '#lib/page-title.ts'
import { fullDayText, tokyoToday } from '#lib/tokyo-time.ts'
import { LoginScreen as LoginPlate, LoginWait } from '#ui/login-plate.tsx'
import type { LoginFormProps } from './login-form.tsx'

// the plate is painted without the forms' library, which is as large as half of React
const form = import('./login-form.tsx')
// only where there are several
const LoginCrms = lazy(async () => ({ default: (await import('./login-crms.tsx')).LoginCrms }))
const LoginForm = lazy(async () => ({ default: (await form).LoginForm }))

/** ログイン (spec 2). */
export function LoginScreen(props: Omit<LoginFormProps, 'heading'>) {
  const { t } = useLingui()
  const { appName, clock, crms } = useServices()
  const isOneOfSeveral = useValue(crms).length > 0
  const name = useShownCrm()
  const heading = name ? t`ログイン（${name}）` : t`ログイン`
  return (
    <>
      <title>{pageTitle(t`ログイン`, appName)}</title>
      <LoginPlate appName={appName} date={fullDayText(tokyoToday(clock.now()))} online={useOnline()}>
        <Suspense fallback={<LoginWait heading={heading} />}>
          <LoginForm key={`${props.autoclose} ${props.userName}`} {...props} heading={heading} />
          {isOneOfSeveral && !props.autoclose && <LoginCrms />}
        </Suspense>
      </LoginPlate>
    </>
  )
}
