import { useLingui } from '@lingui/react/macro'
import { Button } from './button.tsx'
import { FlashBanner } from './flash.tsx'

/** Of a wait that goes on: whether it ends nobody knows. */
export function LongWait() {
  const { t } = useLingui()
  return (
    <FlashBanner
      mode="warning"
      text={t`読み込みに時間がかかっています。変わらないときは、読み込み直してください。`}
      action={<Button wide onClick={() => location.reload()}>{t`読み込み直す`}</Button>}
    />
  )
}
