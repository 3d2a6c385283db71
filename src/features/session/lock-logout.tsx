import { useLingui } from '@lingui/react/macro'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '#data/app-context.tsx'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { Two } from '#ui/layout/layout.tsx'

/** ログアウト of the lock screen. The unsent count is encrypted while locked, so logout always asks. */
export function LockLogout() {
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
