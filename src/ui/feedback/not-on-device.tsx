import { useLingui } from '@lingui/react/macro'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from './empty.tsx'

/** Empty state for a request or record that is not on the device and cannot be loaded now. */
export function NotOnDevice() {
  const { t } = useLingui()
  return (
    <Empty
      art="device"
      heading={t`端末に保存されていません`}
      advice={t`電波の届く場所で開くと、端末に保存されます。`}
    >
      <ButtonLink to="/request" variant="primary">{t`依頼検索へ戻る`}</ButtonLink>
    </Empty>
  )
}
