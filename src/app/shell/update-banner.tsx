import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useServices, type UpdateOffer } from '#data/context/app-context.tsx'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'

interface UpdateBannerProps {
  offer: UpdateOffer
  unsent: number
  canBeSent: boolean
}

/**
 * Offers the restart for an update or for another CRM. Another CRM can be chosen only when all work is sent. If this
 * version is too old and unsent work can be sent now, the update waits for that work. Any other update may start at
 * once, and unsent work is sent after the restart.
 */
export function UpdateBanner({ offer, unsent, canBeSent }: UpdateBannerProps) {
  const { update } = useServices()
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const restart = async () => {
    setBusy(true)
    await update.apply()
    setBusy(false)
  }
  const isOtherCrm = offer === 'other-crm' || offer === 'held-crm'
  const isUrgent = isOtherCrm || offer === 'too-old'
  const waits = unsent > 0 && (isOtherCrm || (offer === 'too-old' && canBeSent))
  const question = {
    'new-version': t`新しい版があります。`,
    'too-old': t`この版は古くなりました。更新してください。`,
    'other-settings': t`新しい設定があります。`,
    'other-crm': t`接続先が変わりました。切り替えると、もう一度ログインします。`,
    'held-crm': t`接続先が変わりましたが、前の接続先に未送信の内容か入力途中の内容が端末に残っています。なくなると切り替えられます。`,
  }[offer]
  const unsentNote = waits
    ? t`未送信 ${unsent}件の送信が終わるまでお待ちください。`
    : t`未送信 ${unsent}件は端末に残り、更新のあとに送信します。`
  const isTaking = busy && (offer === 'new-version' || offer === 'too-old')
  // The text says one minute, because the stores are migrated and the browser may wait half a minute for the old worker
  // (decisions/updates).
  const taking = t`新しい版に切り替えています。1分ほどかかることがあります。保存済の内容は消えません。`
  const text = isUrgent && unsent > 0 ? `${question}${unsentNote}` : question
  return (
    <FlashBanner
      mode="info"
      text={isTaking ? taking : text}
      action={
        waits ? undefined : (
          <Button variant="primary" wide busy={busy} onClick={() => void restart()}>
            {isOtherCrm ? t`切り替える` : t`更新する`}
          </Button>
        )
      }
    />
  )
}
