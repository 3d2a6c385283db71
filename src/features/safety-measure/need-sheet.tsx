import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { SafetyType } from '#schemas/codes.ts'
import { messageText } from '#messages/messages.ts'
import type { SafetyTypeCode } from '#data/safety-measures.ts'
import { UnsavedNotice } from '#features/request-form/unsaved-notice.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'

interface NeedSheetProps {
  type: SafetyTypeCode
  onNeeded: () => void
  onUnnecessary: () => Promise<unknown>
  /** Called for neither answer. 不要 cannot be undone, so the user must be able to cancel. */
  onClose: () => void
}

/** ec00028: asks whether a measure of this type is needed. */
export function NeedSheet({ type, onNeeded, onUnnecessary, onClose }: NeedSheetProps) {
  const { t, i18n } = useLingui()
  const [busy, setBusy] = useState(false)
  const unnecessary = async () => {
    if (busy) return
    setBusy(true)
    // After a failed save the question can be answered again.
    await onUnnecessary().finally(() => setBusy(false))
  }
  return (
    <ConfirmSheet
      question={messageText(i18n, 'ec00028', { name: SafetyType.label(type) })}
      yes={t`要`}
      no={t`不要`}
      busy={busy}
      notice={<UnsavedNotice />}
      onYes={onNeeded}
      onNo={() => void unnecessary()}
      onClose={onClose}
    >
      <p>{t`不要と登録すると、あとから変更できません。`}</p>
    </ConfirmSheet>
  )
}
