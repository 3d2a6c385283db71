import { useLingui } from '@lingui/react/macro'
import { LONG_WAIT_MS } from '#lib/time/long-wait.ts'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from './flash.tsx'
import { useLater } from '#ui/layout/use-later.ts'

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

/** Said as long as something is waited for: to who hears the screen at once, to all where it goes on. */
export function Loading() {
  const { t } = useLingui()
  const isLong = useLater(LONG_WAIT_MS)
  return isLong ? <LongWait /> : <output className="vh">{t`読み込み中`}</output>
}
