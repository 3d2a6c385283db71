import { useLingui } from '@lingui/react/macro'

/** A note above the fields of a change request that opens with the current values (decisions/forms). */
export function TodaysValues() {
  const { t } = useLingui()
  return <p>{t`現在の登録内容を入れてあります。変更するところを直してください。`}</p>
}
