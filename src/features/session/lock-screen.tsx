import { useLingui } from '@lingui/react/macro'
import { KeyRound, LogOut } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  type LockControl,
  type Unlocking,
  useOnline,
  useServices,
  useValue,
} from '#data/context/app-context.tsx'
import { useLockControl } from '#data/context/use-lock-control.ts'
import { pageTitle } from '#lib/browser/page-title.ts'
import { fullDayText, tokyoToday } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { LoginPlate, LoginWait } from '#ui/layout/login-plate.tsx'
import { useLater } from '#ui/feedback/long-wait.tsx'
import { Two } from '#ui/layout/layout.tsx'
import { LoginField, useLoginFields } from './use-login-fields.tsx'

/** The screen ロック中. It replaces every screen and shows none of the device's data (decisions/encryption). */
export function LockScreen() {
  const { t } = useLingui()
  const { appName, clock } = useServices()
  const control = useLockControl()
  return (
    <>
      <title>{pageTitle(t`ロック中`, appName)}</title>
      <LoginPlate appName={appName} date={fullDayText(tokyoToday(clock.now()))} online={useOnline()}>
        {control ? <Unlock control={control} /> : <Wait />}
      </LoginPlate>
    </>
  )
}

const LATE_MS = 3_000

/** Shown until the lock's data is read. After LATE_MS it offers to reload and to log out. */
function Wait() {
  const { t } = useLingui()
  const isLate = useLater(LATE_MS)
  if (!isLate) return <LoginWait heading={t`ロック中`} />
  return (
    <>
      <h1>{t`ロック中`}</h1>
      <FlashBanner
        mode="warning"
        text={t`端末の保存領域から、まだ返事がありません。変わらないときは、読み込み直してください。`}
      />
      <Button variant="primary" wide onClick={() => location.reload()}>{t`読み込み直す`}</Button>
      <LockLogout />
    </>
  )
}

type Failed = 'password' | 'passkey' | 'device'

function Unlock({ control }: { control: LockControl }) {
  const { t } = useLingui()
  const { errorLog } = useServices()
  const [failed, setFailed] = useState<Failed | null>(null)
  const { minutes, checkWait } = useLockWait(control)
  const passkey = useValue(control.passkey)
  const hasPasskey = passkey === 'set'
  const showResult = async (unlock: () => Promise<Unlocking>, by: Failed) => {
    setFailed(null)
    const result = await unlock().catch((error: unknown) => {
      errorLog.note(error)
      return { kind: 'failed' } as const
    })
    checkWait()
    if (result.kind === 'open') return
    // A failure other than a wrong password is shown as a failure of the device. A passkey has one text for all failures.
    setFailed(result.kind === 'wrong' || by === 'passkey' ? by : 'device')
  }
  const { form, field, isBusy } = useLoginFields(['password'], {}, async (text) => {
    await showResult(() => control.unlock(text('password')), 'password')
    return { password: '' }
  })
  const byPasskey = () => void showResult(() => control.unlockByPasskey(), 'passkey')
  return (
    <form {...form}>
      <h1>{t`ロック中`}</h1>
      {minutes > 0 && (
        <FlashBanner
          mode="warning"
          about="wait"
          text={t`パスワードの間違いが続きました。あと約${minutes}分で、もう一度試せます。`}
        />
      )}
      {failed !== null && minutes === 0 && <FailedBanner failed={failed} />}
      {hasPasskey && (
        <Button variant="primary" wide icon={KeyRound} onClick={byPasskey}>
          {t`パスキーで開く`}
        </Button>
      )}
      <LoginField
        {...field('password')}
        label={t`パスワード`}
        type="password"
        autoComplete="current-password"
        required={!hasPasskey}
        help={t`電波がなくても開けます。パスワードを変えた後は、この端末で最後にログインしたときのものです。`}
      />
      <Button
        type="submit"
        wide
        busy={isBusy}
        disabled={minutes > 0}
        variant={hasPasskey ? 'quiet' : 'primary'}
      >{t`開く`}</Button>
      {passkey === 'none' && <p>{t`設定でパスキーを登録すると、次から顔や指紋で開けます。`}</p>}
      <LockLogout />
    </form>
  )
}

function FailedBanner({ failed }: { failed: Failed }) {
  const { t } = useLingui()
  const texts: Record<Failed, string> = {
    password: t`パスワードが違います。`,
    passkey: t`パスキーで開けませんでした。パスワードで開いてください。`,
    device: t`端末の保存領域を読めませんでした。もう一度お試しください。`,
  }
  return <FlashBanner mode="danger" text={texts[failed]} />
}

const CHECKED_EVERY_MS = 5_000
const minutesOf = (control: Pick<LockControl, 'wait'>) => Math.ceil(control.wait() / 60_000)

/** Returns the minutes until the user may try a password again, rounded up; 0 if now. */
function useLockWait(control: Pick<LockControl, 'wait'>) {
  const [minutes, setMinutes] = useState(() => minutesOf(control))
  useEffect(() => {
    if (minutes === 0) return undefined
    const timer = setInterval(() => setMinutes(minutesOf(control)), CHECKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [control, minutes])
  return { minutes, checkWait: () => setMinutes(minutesOf(control)) }
}

/** The button ログアウト. It always asks for confirmation, because a locked device cannot count the unsent changes. */
function LockLogout() {
  const { t } = useLingui()
  const { signOut, errorLog } = useServices()
  const [isAsked, setAsked] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const leave = () => {
    setFailed(false)
    signOut().catch((error: unknown) => {
      errorLog.note(error)
      setFailed(true)
    })
  }
  if (!isAsked)
    return <Button variant="plain" wide icon={LogOut} onClick={() => setAsked(true)}>{t`ログアウト`}</Button>
  return (
    <>
      <output>
        {t`ログアウトしますか？未送信の内容は端末に残り、同じユーザーでログインすると開けます。`}
      </output>
      {hasFailed && (
        <FlashBanner mode="danger" text={t`ログアウトできませんでした。もう一度お試しください。`} />
      )}
      <Two>
        <Button wide onClick={() => setAsked(false)}>{t`いいえ`}</Button>
        <Button wide variant="danger" onClick={leave}>{t`はい`}</Button>
      </Two>
    </>
  )
}
