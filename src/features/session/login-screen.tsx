import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import { useOnline, useServices, useValue } from '#data/context/app-context.tsx'
import { useShownCrm } from '#data/context/other-crms.ts'
import { pageTitle } from '#lib/browser/page-title.ts'
import { fullDayText, tokyoToday } from '#lib/time/tokyo-time.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { LoginPlate } from '#ui/layout/login-plate.tsx'
import { LanguageChoice } from '#ui/language/language-choice.tsx'
import { LoginForm, type LoginFormProps } from './login-form.tsx'

// Loaded only if there are several CRMs, because most devices have one.
const LoginCrms = lazyCode(async () => (await import('./login-crms.tsx')).LoginCrms)

/** The screen ログイン (spec 2). */
export function LoginScreen(props: Omit<LoginFormProps, 'heading'>) {
  const { t } = useLingui()
  const { appName, clock, crms, language } = useServices()
  const isOneOfSeveral = useValue(crms).length > 0
  const name = useShownCrm()
  const heading = name ? t`ログイン（${name}）` : t`ログイン`
  return (
    <>
      <title>{pageTitle(t`ログイン`, appName)}</title>
      <LoginPlate appName={appName} date={fullDayText(tokyoToday(clock.now()))} online={useOnline()}>
        <LoginForm key={`${props.autoclose} ${props.userName}`} {...props} heading={heading} />
        {!props.autoclose && <LanguageChoice language={language} />}
        <Suspense>{isOneOfSeveral && !props.autoclose && <LoginCrms />}</Suspense>
      </LoginPlate>
    </>
  )
}
