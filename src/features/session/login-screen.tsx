import { useLingui } from '@lingui/react/macro'
import { Suspense, useState } from 'react'
import { useOnline, useServices, useValue, type SignInResult } from '#data/context/app-context.tsx'
import { useShownCrm } from '#data/context/other-crms.ts'
import { pageTitle } from '#lib/browser/page-title.ts'
import { fullDayText, tokyoToday } from '#lib/time/tokyo-time.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { LoginPlate } from '#ui/layout/login-plate.tsx'
import { LanguageChoice } from '#ui/language/language-choice.tsx'
import { useRouter } from '@tanstack/react-router'
import { isMissingCode } from '#lib/browser/missing-code.ts'
import { redirectTarget } from '#lib/browser/redirect-target.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { filledText, firstMessages } from '#messages/first-messages.ts'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { Loading } from '#ui/feedback/long-wait.tsx'
import { PASSWORD_LOCK_MS } from '#schemas/limits.ts'
import { DemoUsers } from './demo-users.tsx'
import { LoginField, useLoginFields } from './use-login-fields.tsx'

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

interface LoginFormProps {
  /** ログイン; with several CRMs the heading names the chosen CRM. */
  heading: string
  redirect?: string
  /** True in a tab of the banner of an expired session. The user name is fixed, and the tab closes itself. */
  autoclose?: boolean
  userName?: string
  timedOut?: boolean
}

/** True if the path says that photos were shared before the login, and lost (`lib/received-left.ts`). */
const hasLostPhotos = (redirect: string) => redirect.includes('login-')

const CLOSING_MS = 500

function LoginForm(props: LoginFormProps) {
  const { heading, redirect, autoclose, userName, timedOut } = props
  const { t, i18n } = useLingui()
  const { isDemo } = useServices()
  const online = useOnline()
  const { form, field, fill, isBusy, error } = useLogin(props)
  return (
    <form {...form}>
      <h1>{heading}</h1>
      {error !== null && <FlashBanner mode="danger" text={error} />}
      {timedOut && error === null && (
        <FlashBanner mode="timeout" text={filledText(i18n, firstMessages.ec00005)} />
      )}
      {redirect?.startsWith('/share') && error === null && (
        <FlashBanner
          mode="info"
          text={
            hasLostPhotos(redirect)
              ? t`ログインの前に共有された写真は受け取れません。ログインしてから、もう一度共有してください。`
              : t`共有された写真があります。ログインすると、依頼を選べます。`
          }
        />
      )}
      {!online && error === null && (
        <FlashBanner
          mode="warning"
          about="offline"
          text={t`電波がありません。端末に未送信の内容が残っているときは、前回と同じパスワードで開けます。送信は、電波の届く場所でログインすると始まります。`}
        />
      )}
      <LoginField
        {...field('userName')}
        label={t`ユーザー名`}
        autoComplete="username"
        autoCapitalize="none"
        readOnly={autoclose === true && userName !== undefined}
      />
      <LoginField
        {...field('password')}
        label={t`パスワード`}
        type="password"
        autoComplete="current-password"
        ref={lockPassword}
      />
      <Button type="submit" variant="primary" wide busy={isBusy}>{t`ログイン`}</Button>
      {isBusy && <Loading />}
      {timedOut && !online && <ButtonLink to="/request" search={{}} wide>{t`保存済の依頼を見る`}</ButtonLink>}
      {import.meta.env.MODE !== 'production' && isDemo && (
        <DemoUsers
          onFill={({ userName: demoUser, password }) =>
            fill(autoclose ? { password } : { userName: demoUser, password })
          }
        />
      )}
    </form>
  )
}

function useLogin({ redirect, autoclose, userName = '' }: LoginFormProps) {
  const services = useServices()
  const { history } = useRouter()
  const { t, i18n } = useLingui()
  const full = t`端末の空き容量が足りないため、ログインできません。使わないアプリや写真を端末から消して、もう一度お試しください。保存済の内容は消えません。`
  const closeYourself = t`ログインしました。このタブを閉じて元の画面に戻るか、このまま続けられます。`
  const [error, setError] = useState<string | null>(null)
  const openTarget = () => history.replace(redirectTarget(redirect))
  /** Logs an unexpected error and returns its message (sync RULES SV1). */
  const failure = async (thrown: unknown): Promise<SignInResult> => {
    services.errorLog.note(thrown)
    const other = filledText(i18n, firstMessages[isMissingCode(thrown) ? 'loginOffline' : 'unexpected'])
    return { kind: 'failed', message: (await isStorageFull(thrown, navigator.storage)) ? full : other }
  }
  const fields = useLoginFields(['userName', 'password'], { userName }, async (text) => {
    setError(null)
    // A phone's keyboard adds a space after a suggested word.
    const draft = { userName: text('userName').trim(), password: text('password') }
    const result = await services.signIn(draft).catch(failure)
    if (result.kind === 'failed') {
      setError(result.message)
      return { password: '' }
    }
    if (!autoclose) openTarget()
    else {
      window.close()
      // A browser closes only a tab that a script has opened. In another tab the app continues.
      setTimeout(() => {
        services.flash.show('info', closeYourself)
        openTarget()
      }, CLOSING_MS)
    }
    return null
  })
  return { ...fields, error }
}

const refuseCharacters = (event: KeyboardEvent) => {
  // Only character keys have one-letter names. Tab, Enter and others still work.
  if (event.key.length === 1) event.preventDefault()
}

/**
 * Ignores key presses in a password field during its first PASSWORD_LOCK_MS, so that a key held since the previous page
 * types nothing (spec 9). With `readOnly`, browsers would not fill in a saved login. Used as the field's ref.
 */
function lockPassword(field: HTMLInputElement): () => void {
  const end = () => field.removeEventListener('keydown', refuseCharacters)
  field.addEventListener('keydown', refuseCharacters)
  const timer = setTimeout(end, PASSWORD_LOCK_MS)
  return () => {
    clearTimeout(timer)
    end()
  }
}
