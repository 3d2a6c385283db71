import { useLingui } from '@lingui/react/macro'
import { LONG_WAIT_MS } from '#lib/time/user-timing.ts'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from './flash.tsx'
import { useEffect, useState } from 'react'

/** Shown when loading takes longer than LONG_WAIT_MS. Loading goes on; the button reloads the page. */
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

/** Announces 読み込み中 to screen readers, and shows LongWait after LONG_WAIT_MS. */
export function Loading() {
  const { t } = useLingui()
  return useLater(LONG_WAIT_MS) ? <LongWait /> : <output className="vh">{t`読み込み中`}</output>
}

/** True once `ms` milliseconds have passed since the component mounted, or since `isOn` became true. */
export function useLater(ms: number, isOn = true): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setLater(true), ms)
    return () => {
      clearTimeout(timer)
      setLater(false)
    }
  }, [ms, isOn])
  return isLater && isOn
}
