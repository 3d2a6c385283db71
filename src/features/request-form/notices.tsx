import { useLingui } from '@lingui/react/macro'
import { ClockAlert } from 'lucide-react'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { useCorrection } from '#data/context/use-now.ts'
import { UNSAVED } from '#messages/unsaved.ts'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { Mark } from '#ui/feedback/mark.tsx'

const [DAY_MS, HOUR_MS, MINUTE_MS] = [86_400_000, 3_600_000, 60_000]

/** Warns that the device's clock is wrong and that times are registered by the CRM's clock. */
export function ClockWarning() {
  const { t } = useLingui()
  const correction = useCorrection()
  const off = useDuration(Math.abs(correction))
  if (correction === 0) return null
  return (
    <Mark icon={ClockAlert} tone="warn">
      {correction < 0
        ? t`この端末の時計は約${off}進んでいます。CRMの時刻で登録します。端末の日時の設定を確認してください。`
        : t`この端末の時計は約${off}遅れています。CRMの時刻で登録します。端末の日時の設定を確認してください。`}
    </Mark>
  )
}

/** Returns a duration in words, rounded to one unit. Examples: 1日, 2時間, 10分. */
function useDuration(ms: number): string {
  const { t } = useLingui()
  const [days, hours, minutes] = [DAY_MS, HOUR_MS, MINUTE_MS].map((unit) => Math.round(ms / unit))
  if (ms > DAY_MS - HOUR_MS) return t`${days}日`
  return ms >= HOUR_MS ? t`${hours}時間` : t`${minutes}分`
}

/** The banner about a failed save, shown inside the confirmation sheet, which covers the page's banners (sync RULES SV1). */
export function UnsavedNotice() {
  const { flash } = useServices()
  useValue(flash)
  const banner = flash.at(UNSAVED)
  return banner && <FlashBanner mode={banner.mode} title={banner.title} text={banner.text} />
}
