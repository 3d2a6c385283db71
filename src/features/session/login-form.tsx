import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useOnline, useServices } from '#data/app-context.tsx'
import { requiredIf } from '#form/required-if.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { redirectTarget } from '#lib/redirect-target.ts'
import { messageText } from '#messages/messages.ts'
import { ButtonLink } from '#ui/button.tsx'
import { FlashBanner } from '#ui/flash.tsx'
import { DemoUsers } from './demo-users.tsx'
import { usePasswordLock } from './use-password-lock.ts'

export interface LoginFormProps {
  /** ログイン, and where there are several CRMs which of them gets the password. */
  heading: string
  /** Where the login leads. */
  redirect?: string
  /** Opened by the banner of an expired session, in a tab of its own: the user name is fixed, the tab closes itself. */
  autoclose?: boolean
  userName?: string
  /** The session on this device has expired. */
  timedOut?: boolean
}

/** A tab that can be closed is gone by then. */
const CLOSING_MS = 500

/** The form of ログイン. */
export function LoginForm({ heading, redirect, autoclose, userName, timedOut }: LoginFormProps) {
  const { t, i18n } = useLingui()
  const { isDemo } = useServices()
  const online = useOnline()
  const locked = usePasswordLock()
  const { form, error } = useLogin({ redirect, autoclose, userName })
  return (
    <form.AppForm>
      <form.PlainForm>
        <h1>{heading}</h1>
        {error !== null && <FlashBanner mode="danger" text={error} />}
        {timedOut && error === null && <FlashBanner mode="timeout" text={messageText(i18n, 'ec00005')} />}
        {!online && error === null && (
          <FlashBanner
            mode="warning"
            about="offline"
            text={t`電波がありません。この端末に保存済の内容は、前回と同じパスワードで開けます。送信は、電波の届く場所でログインすると始まります。`}
          />
        )}
        <form.AppField name="userName" validators={always}>
          {(field) => (
            <field.TextField
              label={t`ユーザー名`}
              required
              autoComplete="username"
              autoCapitalize="none"
              enterKeyHint="go"
              readOnly={autoclose === true && userName !== undefined}
            />
          )}
        </form.AppField>
        <form.AppField name="password" validators={always}>
          {(field) => (
            <field.PasswordField label={t`パスワード`} required enterKeyHint="go" readOnly={locked} />
          )}
        </form.AppField>
        <form.SubmitButton wide>{t`ログイン`}</form.SubmitButton>
        {timedOut && !online && (
          <ButtonLink to="/request" search={{}} wide>{t`保存済の依頼を見る`}</ButtonLink>
        )}
        {/* a production build leaves the demo's users out */}
        {import.meta.env.MODE !== 'production' && isDemo && (
          <DemoUsers
            onFill={(draft) => {
              if (!autoclose) form.setFieldValue('userName', draft.userName)
              form.setFieldValue('password', draft.password)
            }}
          />
        )}
      </form.PlainForm>
    </form.AppForm>
  )
}

/** Both fields are required; the draft's schema is applied where the call is made, so that this page needs no ArkType. */
const always = requiredIf([], () => true)

function useLogin({
  redirect,
  autoclose,
  userName = '',
}: { [K in keyof Omit<LoginFormProps, 'heading'>]: LoginFormProps[K] | undefined }) {
  const services = useServices()
  const { history } = useRouter()
  const { t } = useLingui()
  const closeYourself = t`ログインしました。このタブを閉じて元の画面に戻るか、このまま続けられます。`
  const [error, setError] = useState<string | null>(null)
  const goOn = () => history.replace(redirectTarget(redirect))
  const form = useDraftForm({
    defaultValues: { userName, password: '' },
    onSubmit: async (draft) => {
      setError(null)
      const result = await services.signIn(draft)
      if (result.kind === 'failed') {
        setError(result.message)
        // the password is cleared (spec 8), and not yet called missing
        form.reset({ ...draft, password: '' }, { keepDefaultValues: true })
      } else if (autoclose) {
        window.close()
        // a tab that no script opened stays: it says so, and goes on here
        setTimeout(() => {
          services.flash.show('info', closeYourself)
          goOn()
        }, CLOSING_MS)
      } else goOn()
    },
  })
  return { form, error }
}
