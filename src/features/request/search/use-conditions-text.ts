import { useLingui } from '@lingui/react/macro'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { orderFlagNames } from './filter.ts'

/** Returns the conditions other than the days as one line: 種別, 緊出のみ, then the typed texts. */
export function useConditionsText(filter: RequestFilter): string {
  const { t } = useLingui()
  const { requestCode, locationName, customerName, emergencyOnly } = filter
  const flags = orderFlagNames(filter) || (emergencyOnly ? '' : t`すべて`)
  const kinds = [flags, emergencyOnly && t`緊出のみ`].filter(Boolean).join('、')
  const others = [
    requestCode && t`依頼番号 ${requestCode}`,
    locationName && t`作業場所 ${locationName}`,
    customerName && t`契約先 ${customerName}`,
  ]
  return [t`種別 ${kinds}`, ...others].filter(Boolean).join('　')
}
