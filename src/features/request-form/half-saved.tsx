import { useLingui } from '@lingui/react/macro'

/** Of a save of several that the device did not take whole: how many are saved, and how many the next one is of. */
export function HalfSaved({ saved, left }: { saved: number; left: number }) {
  const { t } = useLingui()
  return saved > 0 && <p className="strong">{t`${saved}件は保存済です。残りの${left}件を登録します。`}</p>
}
