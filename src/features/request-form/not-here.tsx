import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import { useOnline } from '#data/context/app-context.tsx'
import { useAskAgain } from '#data/context/use-refresh.ts'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Empty, NotOnDevice } from '#ui/feedback/empty.tsx'

/**
 * Shown instead of a request or record that is not on the device. Offline it says that a connection is required; online
 * it says that reading failed and offers to read again (sync RULES PL4).
 */
export function NotHere() {
  const { t } = useLingui()
  const online = useOnline()
  const askAgain = useAskAgain()
  if (!online) return <NotOnDevice />
  return (
    <Empty
      art="device"
      heading={t`読み込めませんでした`}
      advice={t`しばらくしてからもう一度お試しください。`}
      alert
    >
      <Button variant="primary" icon={RotateCw} onClick={askAgain}>{t`再読み込み`}</Button>
      <ButtonLink to="/request">{t`依頼検索へ戻る`}</ButtonLink>
    </Empty>
  )
}
